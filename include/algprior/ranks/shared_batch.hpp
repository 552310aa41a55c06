#pragma once

#include <ATen/core/Tensor.h>

namespace algprior {

/// Whether the samples in hand are a share of a batch whose other samples the other ranks have at
/// the same time, so that what is no mean over samples must be computed together. Of the whole
/// process, as the ranks are; false while a rank validates or has the whole batch.
bool shares_batch() noexcept;

/// Sets it while it lives. Without other ranks it changes nothing.
class SharedBatchScope {
 public:
  explicit SharedBatchScope(bool shared) noexcept;
  ~SharedBatchScope();
  SharedBatchScope(const SharedBatchScope&) = delete;
  SharedBatchScope& operator=(const SharedBatchScope&) = delete;

 private:
  bool before_;
};

/// The sum of a tensor over the ranks, with a gradient. Each rank must differentiate its summand of
/// one loss (GradientSum has an example): then the gradient of a rank's tensor is the sum of the
/// gradients that the ranks have for the sum. Called by all ranks in the same order, forwards and
/// backwards, with tensors that either all require a gradient or none.
at::Tensor sum_of_shares(const at::Tensor& own);

}  // namespace algprior
