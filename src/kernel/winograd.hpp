#pragma once

#include "algprior/kernel/conv.hpp"

// Planar convolutions with stride 1 by Winograd's minimal filtering F(m×m, r×r), r = 3 or 5: with
// n = m + r − 1
//   y = Aᵀ((G w Gᵀ) ⊙ (Bᵀ d B))A,  d an n×n patch of the input, y an m×m tile of the output,
// where ⊙ stands for n² matrix products over the channels. m = 4 needs 36 products a tile where the
// plain sum of a 3×3 kernel has 144, and 64 where that of a 5×5 kernel has 400; images of a few
// pixels take m = 2 or 3 for 3×3 kernels where that needs fewer in all. The gradient of the input
// is the same algorithm on the gradient of the output with the kernels turned, that of the weights
// is its transpose, Gᵀ(Σ (A g Aᵀ) ⊙ (Bᵀ d B))G.
//
// A block of tiles goes through transform, products and transform while it is in the second-level
// cache. The order of every sum is fixed, whatever the threads. The result differs from the plain
// sum by a few roundings more: 1e-6 to 3e-6 of the largest entry, up to 5e-6 for 5×5 kernels.

namespace algprior::kernel {

/// Whether the algorithm applies: planar 3×3 or 5×5, stride 1, fewer zeros around than the kernel
/// has rows, nothing replicated.
bool winograd_applies(const ConvShape& shape);

/// Whether it applies and is faster than the plain sums: at least 16 channels on either side, and
/// tiles enough to pay for the transform of the weights, half as many as the larger side has
/// channels and no fewer than 16.
bool winograd_serves(const ConvShape& shape);

/// As conv_forward.
void winograd_forward(const ConvShape& shape, const float* x, const float* weight,
                      const float* bias, float* y, Moments* moments);

/// As conv_backward.
void winograd_backward(const ConvShape& shape, const float* x, const float* weight,
                       const GradientSource& gradient, float* dx, float* dweight, float* dbias);

}  // namespace algprior::kernel
