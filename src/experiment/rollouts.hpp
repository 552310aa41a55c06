#pragma once

#include "algprior/experiment/experiment.hpp"

#include <functional>
#include <vector>

namespace algprior {

/// Says the next frame of x.
using Predict = std::function<at::Tensor(const at::Tensor& x)>;

/// By a network in whatever mode it is, without gradients, on its device.
Predict predictor_of(const Network& network);

struct RolloutError {
  double by_batches = 0;  ///< every batch counts alike, as published
  double by_samples = 0;
  std::vector<double> by_frame;
};

/// √ of the mean squared error of a predictor that is fed with what it said, over so many frames.
RolloutError rollout_error(const Predict& predict, const Dataset& data, const RandomKey& key,
                           std::int64_t frames, std::int64_t batch_size);

/// What a predictor of flows is tested on.
struct RolloutTests {
  Dataset future, domain;
  RandomKey key;
  std::int64_t frames = 20;
  std::int64_t batch_size = 16;
};

/// Both tests. Into the folder, unless it is empty, go rollout.csv (the error against the step) and
/// the pictures of one rollout (rollout_pictures.hpp).
Metrics measure_rollouts(const Predict& predict, const RolloutTests& tests,
                         const MeasureContext& context);

/// A network in evaluation mode; unless the best weights were kept, the errors of these too.
Metrics measure_rollouts(const Network& network, const RolloutTests& tests,
                         const MeasureContext& context, bool keeps_best);

}  // namespace algprior
