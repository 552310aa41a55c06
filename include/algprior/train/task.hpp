#pragma once

#include "algprior/base/metric.hpp"
#include "algprior/data/dataset.hpp"

#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// A number for each sample, whose mean over a data set is a metric.
struct TaskMetric {
  Metric metric;
  std::function<at::Tensor(const at::Tensor& output, const at::Tensor& target)> of_samples;
};

/// What a network is asked to do: the loss of an output against its target and the numbers by which
/// people judge it, the first of which is the headline.
struct Task {
  std::string name;  ///< "classify", "reconstruct", "regress"
  /// Mean over the batch. Throws InputError when shapes do not fit.
  std::function<at::Tensor(const at::Tensor& output, const at::Tensor& target)> loss;
  std::vector<TaskMetric> metrics;
  bool of_input = false;  ///< the target is the sample itself, not its y

  /// The target of x, and that of g·x.
  const at::Tensor& target(const Batch& batch) const { return of_input ? batch.x : batch.y; }
  const at::Tensor& shifted_target(const Batch& batch) const {
    return of_input ? batch.gx : batch.gy;
  }
};

/// Cross-entropy of logits (N×classes) against int64 labels (N); accuracy.
Task classify();
/// The published CIFAR code (departure D-8): softmax twice before the cross-entropy, which then
/// stays between 2.17 and 2.32 for ten classes and hardly has a gradient.
Task classify_softmax_twice();
/// Mean squared error against the input.
Task reconstruct();
/// Mean absolute error against the input; judged by the squared error.
Task reconstruct_absolute();
/// Mean squared error against y, of the output's shape. The group may act on y: then g·y is the
/// target of g·x.
Task regress();

/// Cross-entropy as classify() has it. Throws InputError when shapes do not fit or a label is no
/// class of the network.
at::Tensor classification_loss(const at::Tensor& logits, const at::Tensor& labels);

}  // namespace algprior
