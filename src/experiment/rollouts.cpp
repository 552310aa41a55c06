#include "rollouts.hpp"

#include "algprior/base/file.hpp"
#include "algprior/data/flows.hpp"
#include "algprior/train/evaluate.hpp"
#include "rollout_pictures.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

std::string named(const Metric& metric, const char* of = "") {
  return std::string(metric.name) + of;
}

}  // namespace

Predict predictor_of(const Network& network) {
  return [network](const at::Tensor& x) {
    return network.forward(x.to(device_of(network))).output.cpu();
  };
}

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

Metrics measure_rollouts(const Predict& predict, const RolloutTests& tests,
                         const MeasureContext& context) {
  const auto error = [&](const Dataset& data) {
    return rollout_error(predict, data, tests.key, tests.frames, tests.batch_size);
  };
  const RolloutError future = error(tests.future), domain = error(tests.domain);
  if (!context.folder.empty()) {
    std::string text = "frame,future_rmse,domain_rmse\n";
    for (std::size_t i = 0; i < future.by_frame.size(); ++i) {
      text += fmt::format("{},{},{}\n", i + 1, future.by_frame[i], domain.by_frame[i]);
    }
    write_file(context.folder / "rollout.csv", text);
    write_rollout(context.folder, predict, tests.future, tests.key, tests.frames);
  }
  return {{named(metrics::kFutureRmse), future.by_batches},
          {named(metrics::kDomainRmse), domain.by_batches},
          {named(metrics::kRmseBySamples, "future"), future.by_samples},
          {named(metrics::kRmseBySamples, "domain"), domain.by_samples}};
}

Metrics measure_rollouts(const Network& network, const RolloutTests& tests,
                         const MeasureContext& context, bool keeps_best) {
  const ModeScope evaluation(network, Mode::evaluation);
  const Predict predict = predictor_of(network);
  Metrics result = measure_rollouts(predict, tests, context);
  if (keeps_best) return result;
  Metrics best = result;
  if (!context.best.empty()) {
    const NamedTensors last = weights_of(*network.module);
    set_weights(*network.module, context.best);
    best = measure_rollouts(predict, tests, MeasureContext{});
    set_weights(*network.module, last);
  }
  for (const Metric& metric : {metrics::kFutureRmse, metrics::kDomainRmse}) {
    result[named(metrics::kBestWeights) + named(metric)] = best.at(named(metric));
  }
  return result;
}

}  // namespace algprior
