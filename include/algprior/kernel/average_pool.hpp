#pragma once

#include "algprior/kernel/conv.hpp"

#include <ATen/core/Tensor.h>

namespace algprior {

/// Average pooling over the last two (N×C×H×W) or three (N×C×D×H×W) axes, padding counted in the
/// divisor, differentiable once in x by the kernels. A planar pool has kernel[0] = 1. Windows are
/// summed rows first, so the cost grows with the sum of the window's sides, not their product.
/// Throws InputError when a window does not fit, or a Gaussian one has more than 16 taps an axis.
at::Tensor average_pool(const at::Tensor& x, const Pool& pool);
at::Tensor average_pool_torch(const at::Tensor& x, const Pool& pool);

}  // namespace algprior
