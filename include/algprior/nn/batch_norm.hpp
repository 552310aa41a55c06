#pragma once

#include "algprior/ranks/batch_norm.hpp"

#include <torch/nn/modules/batchnorm.h>

namespace algprior::nn {

/// What norm.forward(x) gives; where ranks synchronise their batch norms, in training by the
/// statistics of all of them. For a network of your own that is trained by several processes.
template <class BatchNormImpl>
at::Tensor normalise(BatchNormImpl& norm, const at::Tensor& x) {
  if (!norm.is_training() || !norm.options.affine() || !synchronises_batch_norms()) {
    return norm.forward(x);
  }
  if (norm.num_batches_tracked.defined()) norm.num_batches_tracked.add_(1);
  return synchronised_batch_norm(x, norm.weight, norm.bias, norm.running_mean, norm.running_var,
                                 norm.options.momentum().value_or(0.1), norm.options.eps());
}

}  // namespace algprior::nn
