#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

struct BlockDiagonalOptions {
  std::int64_t steps = 1000;  ///< of each start
  std::int64_t starts = 4;    ///< bases begun from; the one that ends lowest is taken
  std::int64_t batch_size = 32;
  double learning_rate = 0.1;  ///< falls to 0 over the second half of the steps
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
/// reads off what its latents transform by: minimises over invertible U, by Adam, the mean over n
/// of tr(L)/a, L the normalised Laplacian of the graph with weights |U⁻¹M_nU|ᵀ|U⁻¹M_nU| (its
/// nuclear norm, since L has no negative eigenvalues). 0 for diagonal matrices. The loss has many
/// local minima: the published start is a random orthogonal U, and most of these end in blocks that
/// are too large. Here one start is the eigenbasis of a matrix that nearly commutes with all M_n,
/// which has the blocks already where there are any; the others are random. Throws InputError
/// unless the matrices are square and finite, DivergedError when U leaves the finite numbers.
BlockDiagonal block_diagonalise(const at::Tensor& matrices,
                                const BlockDiagonalOptions& options = {});

}  // namespace algprior
