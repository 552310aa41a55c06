#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

struct BlockDiagonalOptions {
  std::int64_t epochs = 50;
  std::int64_t batch_size = 32;
  double learning_rate = 0.1;
  std::uint64_t seed = 0;
  double threshold =
      0.1;  ///< two coordinates belong together above this share of the largest entry
};

/// A basis in which matrices fall into blocks together.
struct BlockDiagonal {
  at::Tensor basis;                               ///< U, its columns block by block
  std::vector<std::vector<std::int64_t>> blocks;  ///< places in the basis, the largest block first
  double before = 0.0;  ///< the loss in the basis that the matrices came in …
  double after = 0.0;   ///< … and in U
};

/// Simultaneous block-diagonalisation of matrices M_n (N×a×a), as the Neural Fourier Transform
/// reads off what its latents transform by: minimises over invertible U, by Adam from an orthogonal
/// start, the mean over n of tr(L)/a, L the normalised Laplacian of the graph with weights
/// |U⁻¹M_nU|ᵀ|U⁻¹M_nU| (its nuclear norm, since L has no negative eigenvalues). 0 for diagonal
/// matrices. Throws InputError unless the matrices are square and finite,
/// DivergedError when U leaves the finite numbers.
BlockDiagonal block_diagonalise(const at::Tensor& matrices,
                                const BlockDiagonalOptions& options = {});

}  // namespace algprior
