#pragma once

#include <ATen/core/Tensor.h>

namespace algprior {

/// Whether batch norms in training take their statistics over the samples of all ranks; else each
/// rank over its own. Of the whole process, as the ranks are.
bool synchronises_batch_norms() noexcept;

/// Sets it while it lives. Without other ranks it changes nothing.
class BatchNormScope {
 public:
  explicit BatchNormScope(bool synchronised) noexcept;
  ~BatchNormScope();
  BatchNormScope(const BatchNormScope&) = delete;
  BatchNormScope& operator=(const BatchNormScope&) = delete;

 private:
  bool before_;
};

/// Mean and variance (over the number of values) of each channel of x (N × C × …) over all ranks,
/// in double and without a gradient. Called by all ranks in the same order.
struct BatchMoments {
  at::Tensor mean, variance;
  double count = 0;  ///< values a channel
};
BatchMoments moments_over_ranks(const at::Tensor& x);

/// Batch norm of x (N × C × …) in training by mean and variance over all ranks, with the gradient
/// of that: γ·(x − E x)/√(Var x + ε) + β. Called by all ranks in the same order, forwards and
/// backwards, with any number of samples each. Each rank must differentiate its summand of one
/// loss (GradientSum has an example). The running averages, updated in place, become the same on
/// all ranks. Two streams, x and g·x, are two calls.
at::Tensor synchronised_batch_norm(const at::Tensor& x, const at::Tensor& weight,
                                   const at::Tensor& bias, const at::Tensor& running_mean,
                                   const at::Tensor& running_var, double momentum, double eps);

}  // namespace algprior
