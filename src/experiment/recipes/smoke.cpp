// Plumes of smoke under quarter turns, predicted frame after frame: the paper's third experiment.
#include "algprior/fluid/smoke.hpp"

#include "../rollouts.hpp"
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/check.hpp"
#include "algprior/data/flows.hpp"
#include "algprior/experiment/assemble.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/rep/make_representation.hpp"
#include "algprior/store/made.hpp"
#include "algprior/train/evaluate.hpp"
#include "recipes.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kTrainFrames = 6, kTestFrames = 20;

struct SmokeSettings {
  std::string folder;
  std::int64_t frames = fluid::kSmokeFrames;
  // The published split, by the numbers k of the simulations.
  std::vector<std::int64_t> training = {27, 33, 3,  28, 9,  12, 22, 8, 30, 25, 16, 11, 23,
                                        29, 36, 26, 1,  35, 19, 34, 4, 2,  7,  31, 17};
  std::vector<std::int64_t> domain = {6, 14, 15, 10, 18, 20, 24, 13, 21, 5};
  std::vector<std::int64_t> ends = {160, 200, 250, 100};
  std::int64_t stride = 1;
  std::string predictor = "network";
  NetworkSettings network{{"fluid", "fluid_mlp", "steerable_flow"}};
  PriorSettings prior{.weight = 0.005};
  TrainSettings train{.ties = Ties::first};
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
                             {"D-4", "the prior's loss of all samples against the first one"},
                             {"D-5", "task loss on x alone"}});
    fields.text("data.folder", folder,
                "folder of simulations raw_data_k_j.npy or .pt, instead of the data store's");
    fields.integer("data.frames", frames, "frames of each simulation").at_least(1);
    fields
        .integers("data.training", training,
                  "numbers of the simulations for training, validation and the future test")
        .at_least(1);
    fields.integers("data.domain", domain, "numbers of the simulations for the domain test")
        .at_least(1);
    fields
        .integers("data.ends", ends,
                  "offsets at which training (from 0), validation and future windows end, one "
                  "after the other, and those of the domain test (from 0)")
        .at_least(1);
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

RolloutTests tests_of(const SmokeSplits& splits, const RandomKey& key, std::int64_t batch_size) {
  return {splits.future, splits.domain, key, kTestFrames, batch_size};
}

std::vector<std::size_t> numbers(std::size_t first, std::size_t count) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(first + i);
  return result;
}

SmokeSplits read_splits(const SmokeSettings& settings, const Action& action) {
  if (settings.training.empty() || settings.domain.empty() || settings.ends.size() != 4) {
    throw InputError({"the simulations cannot be split",
                      fmt::format("{} and {} simulations, {} ends", settings.training.size(),
                                  settings.domain.size(), settings.ends.size()),
                      "at least one simulation each and four ends", "see docs/configuration.md"});
  }
  const std::filesystem::path folder = settings.folder.empty()
                                           ? store::find_made("smoke").folder
                                           : std::filesystem::path(settings.folder);
  std::vector<at::Tensor> simulations;
  const auto read = [&](std::int64_t k) {
    const auto file = fluid::find_smoke_file(folder, static_cast<int>(k));
    simulations.push_back(to_tensor(fluid::read_smoke(file, static_cast<int>(settings.frames))));
    check_finite(simulations.back(), file.string());
  };
  for (const auto k : settings.training) read(k);
  for (const auto k : settings.domain) read(k);
  const at::Tensor frames = at::stack(simulations);
  const auto training = numbers(0, settings.training.size());
  const auto domain = numbers(settings.training.size(), settings.domain.size());
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
  const auto& ends = settings.ends;
  return {windows("training windows", training, 0, ends[0], kTrainFrames),
          windows("validation windows", training, ends[0], ends[1], kTrainFrames),
          windows("future windows", training, ends[1], ends[2], kTestFrames),
          windows("domain windows", domain, 0, ends[3], kTestFrames)};
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
  const RolloutTests tests = tests_of(splits, test_key, batch_size);
  using namespace metrics;
  if (settings.predictor != "network") {
    const bool zero = settings.predictor == "zero";
    const Predict predict = [zero](const at::Tensor& x) {
      const auto last = x.narrow(1, x.size(1) - 2, 2);
      return zero ? at::zeros_like(last) : last;
    };
    Experiment experiment;
    experiment.measure = [=](const MeasureContext& context) {
      return measure_rollouts(predict, tests, context);
    };
    experiment.columns = {kFutureRmse, kDomainRmse};
    return experiment;
  }
  const Batch sample = splits.train.get(at::zeros({1}, at::kLong), RandomKey(0));
  const nn::Shapes shapes{sample.x.sizes().slice(1).vec(), 0};
  const Network network = settings.network.make(run.seed, shapes);
  return assemble(
      {.run = run,
       .data = {.group = group,
                .outputs = 2 * sample.x.size(2) * sample.x.size(3),
                .train = splits.train,
                .validation = splits.validation,
                .tests = {{"test", splits.future}},
                .input = action},
       .network = network,
       .shapes = shapes,
       .task = regress(),
       .prior = settings.prior,
       .train = settings.train,
       .on_x_alone = settings.departures.has("D-5"),
       .against_first = settings.departures.has("D-4"),
       .latents =
           [group, shape = network.latent_shapes.at(0)](const std::string& representation) {
             return latents_of(group, shape, representation);
           },
       .rollout = Rollout{kTrainFrames, advance_frames, flow_frame},
       .validate =
           [=](const Network& trained, const RandomKey& key) {
             const ModeScope evaluation(trained, Mode::evaluation);
             const auto error = rollout_error(predictor_of(trained), splits.validation, key,
                                              kTrainFrames, batch_size);
             return Metrics{{std::string(kRmse.name), error.by_batches}};
           },
       .measure =
           [=](const Network& trained, const MeasureContext& context) {
             return measure_rollouts(trained, tests, context, settings.train.keep_best);
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
