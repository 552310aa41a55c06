// Plumes of smoke under quarter turns, predicted frame after frame: the paper's third experiment.
#include "algprior/fluid/smoke.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/data/flows.hpp"
#include "algprior/experiment/assemble.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/store/made.hpp"
#include "algprior/train/evaluate.hpp"
#include "recipes.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

// The published split, by the numbers k of the simulations.
constexpr int kTraining[] = {27, 33, 3,  28, 9,  12, 22, 8, 30, 25, 16, 11, 23,
                             29, 36, 26, 1,  35, 19, 34, 4, 2,  7,  31, 17};
constexpr int kDomain[] = {6, 14, 15, 10, 18, 20, 24, 13, 21, 5};
constexpr std::int64_t kTrainFrames = 6, kTestFrames = 20;

struct SmokeSettings {
  std::int64_t stride = 1;
  std::string predictor = "network";
  NetworkSettings network{{"fluid", "fluid_mlp", "steerable_flow"}};
  PriorSettings prior{.weight = 0.005};
  TrainSettings train;
  Departures departures;

  SmokeSettings() {
    train.learning_rate = 1e-3;
    train.weight_decay = 4e-4;
    train.schedule = Schedule::Shape::step;
    train.batch_size = 16;
    train.epochs = 1000;
    train.patience = 0;
    train.plateau_after = 100;
    train.keep_best = false;
  }

  void bind(config::Fields& fields) {
    departures.bind(fields, {{"D-3", "the negative of the physical velocities for odd turns"},
                             {"D-5", "task loss on x alone"}});
    fields.integer("data.stride", stride, "every so many-th window of a simulation").at_least(1);
    fields
        .text("data.predictor", predictor,
              "network; or what needs none: persistence, the last frame again, and zero")
        .one_of({"network", "persistence", "zero"});
    fields.when("data.predictor", {"network"}, [&] {
      network.bind(fields);
      prior.bind(fields);
      train.bind(fields, metrics::kRmse);
    });
  }
};

struct SmokeSplits {
  Dataset train, validation, future, domain;
};

std::vector<std::size_t> numbers(std::size_t first, std::size_t count) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(first + i);
  return result;
}

SmokeSplits read_splits(const SmokeSettings& settings, const Action& action) {
  const auto folder = store::find_made("smoke").folder;
  std::vector<at::Tensor> simulations;
  const auto read = [&](int k) {
    simulations.push_back(to_tensor(fluid::read_smoke(fluid::find_smoke_file(folder, k))));
  };
  for (const int k : kTraining) read(k);
  for (const int k : kDomain) read(k);
  const at::Tensor frames = at::stack(simulations);
  const auto training = numbers(0, std::size(kTraining));
  const auto domain = numbers(std::size(kTraining), std::size(kDomain));
  const auto windows = [&](const char* name, const std::vector<std::size_t>& which,
                           std::int64_t first, std::int64_t last, std::int64_t future) {
    return make_flow_windows(name, frames,
                             {.simulations = which,
                              .first = first,
                              .last = last,
                              .stride = settings.stride,
                              .future = future},
                             action);
  };
  return {windows("training windows", training, 0, 160, kTrainFrames),
          windows("validation windows", training, 160, 200, kTrainFrames),
          windows("future windows", training, 200, 250, kTestFrames),
          windows("domain windows", domain, 0, 100, kTestFrames)};
}

/// Says the next frame of x.
using Predict = std::function<at::Tensor(const at::Tensor& x)>;

struct RolloutError {
  double by_batches = 0;  ///< every batch counts alike, as published
  double by_samples = 0;
  std::vector<double> by_frame;
};

RolloutError rollout_error(const Predict& predict, const Dataset& data, const RandomKey& key,
                           std::int64_t frames, std::int64_t batch_size) {
  const at::NoGradGuard no_gradient;
  RolloutError error;
  error.by_frame.assign(static_cast<std::size_t>(frames), 0.0);
  double batches = 0, samples = 0;
  for (const at::Tensor& indices : ordered_batches(data.size, batch_size)) {
    const Batch batch = data.get(indices, key);
    at::Tensor x = batch.x;
    double sum = 0;
    for (std::int64_t frame = 0; frame < frames; ++frame) {
      const at::Tensor output = predict(x);
      const double mse = (output - flow_frame(batch.y, frame)).square().mean().item<double>();
      sum += mse / static_cast<double>(frames);
      error.by_frame[static_cast<std::size_t>(frame)] += mse;
      x = advance_frames(x, output);
    }
    error.by_batches += sum;
    error.by_samples += sum * static_cast<double>(batch.size());
    batches += 1;
    samples += static_cast<double>(batch.size());
  }
  error.by_batches = std::sqrt(error.by_batches / batches);
  error.by_samples = std::sqrt(error.by_samples / samples);
  for (double& value : error.by_frame) value = std::sqrt(value / batches);
  return error;
}

Predict predictor_of(const Network& network) {
  return [network](const at::Tensor& x) {
    return network.forward(x.to(device_of(network))).output.cpu();
  };
}

// Both tests, and the error against the step of the rollout as rollout.csv.
Metrics measure_rollouts(const Predict& predict, const SmokeSplits& splits, const RandomKey& key,
                         std::int64_t batch_size, const MeasureContext& context) {
  const auto future = rollout_error(predict, splits.future, key, kTestFrames, batch_size);
  const auto domain = rollout_error(predict, splits.domain, key, kTestFrames, batch_size);
  if (!context.folder.empty()) {
    std::string text = "frame,future_rmse,domain_rmse\n";
    for (std::size_t i = 0; i < future.by_frame.size(); ++i) {
      text += fmt::format("{},{},{}\n", i + 1, future.by_frame[i], domain.by_frame[i]);
    }
    write_file(context.folder / "rollout.csv", text);
  }
  const std::string by_samples(metrics::kRmseBySamples.name);
  return {{std::string(metrics::kFutureRmse.name), future.by_batches},
          {std::string(metrics::kDomainRmse.name), domain.by_batches},
          {by_samples + "future", future.by_samples},
          {by_samples + "domain", domain.by_samples}};
}

// A grid turns a channel at a time, which is 1024 copies of the regular representation each; a
// vector carries as many copies as fit.
std::vector<LatentTarget> latents_of(const Group& group, const std::vector<std::int64_t>& shape,
                                     const std::string& representation) {
  if (shape.size() == 1) {
    return {{0, latent_action(make_representation(group, representation), shape[0])}};
  }
  if (representation == "regular") return {{0, planar_action(group)}};
  if (representation == "trivial") return {{0, trivial_action(group)}};
  throw InputError({"a grid carries no such representation here",
                    "prior.representation = \"" + representation + "\"", "regular or trivial",
                    "set prior.representation = \"regular\""});
}

Experiment make_smoke_experiment(const RunId& run, const SmokeSettings& settings) {
  const Group group = make_group("C4");
  const Action action = velocity_action(
      group, settings.departures.has("D-3") ? VectorSign::published : VectorSign::physical);
  const SmokeSplits splits = read_splits(settings, action);
  const std::int64_t batch_size = settings.train.batch_size;
  const RandomKey test_key(run.seed, "test");
  using namespace metrics;
  if (settings.predictor != "network") {
    const bool zero = settings.predictor == "zero";
    const Predict predict = [zero](const at::Tensor& x) {
      const auto last = x.narrow(1, x.size(1) - 2, 2);
      return zero ? at::zeros_like(last) : last;
    };
    Experiment experiment;
    experiment.measure = [=](const MeasureContext& context) {
      return measure_rollouts(predict, splits, test_key, batch_size, context);
    };
    experiment.columns = {kFutureRmse, kDomainRmse};
    return experiment;
  }
  const Batch sample = splits.train.get(at::zeros({1}, at::kLong), RandomKey(0));
  const Network network = settings.network.make(run.seed, {sample.x.sizes().slice(1).vec(), 0});
  return assemble(
      {.run = run,
       .data = {.group = group,
                .outputs = 2 * sample.x.size(2) * sample.x.size(3),
                .train = splits.train,
                .validation = splits.validation,
                .tests = {{"test", splits.future}},
                .input = action},
       .network = network,
       .task = regress(),
       .prior = settings.prior,
       .train = settings.train,
       .on_x_alone = settings.departures.has("D-5"),
       .latents =
           [group, shape = network.latent_shapes.at(0)](const std::string& representation) {
             return latents_of(group, shape, representation);
           },
       .rollout = Rollout{kTrainFrames, advance_frames, flow_frame},
       .validate =
           [=](const Network& network, const RandomKey& key) {
             const ModeScope evaluation(network, Mode::evaluation);
             const auto error = rollout_error(predictor_of(network), splits.validation, key,
                                              kTrainFrames, batch_size);
             return Metrics{{std::string(kRmse.name), error.by_batches}};
           },
       .measure =
           [=](const Network& network, const MeasureContext& context) {
             const ModeScope evaluation(network, Mode::evaluation);
             return measure_rollouts(predictor_of(network), splits, test_key, batch_size, context);
           },
       .columns = {kFutureRmse, kDomainRmse,
                   settings.prior.none() ? kInvarianceError : kEquivarianceError}});
}

}  // namespace

Recipe smoke_recipe() {
  return make_recipe("smoke", "plumes of smoke under quarter turns, predicted frame after frame",
                     make_smoke_experiment);
}

}  // namespace algprior
