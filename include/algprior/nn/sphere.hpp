#pragma once

#include "algprior/nn/network.hpp"

#include <cstdint>
#include <vector>

namespace algprior::nn {

/// What lies around the edge of a grid on the sphere, for 3×3 convolutions.
enum class SpherePadding {
  around,  ///< the cells that are neighbours on the sphere: across seams, the first meridian, poles
  zero,    ///< zeros, as the published networks have it
};

struct SphereAutoencoderOptions {
  std::int64_t channels = 16;                    ///< of the input and the output
  std::vector<std::int64_t> grid = {6, 32, 32};  ///< {6, n, n}: a cube map; {H, W}: parallels
  std::vector<std::int64_t> widths = {32, 64, 128, 256};  ///< channels of each stage
  std::int64_t blocks = 2;                                ///< residual blocks a stage
  std::int64_t latent = 64;                               ///< channels of Z
  SpherePadding padding = SpherePadding::around;

  int halvings() const { return static_cast<int>(widths.size()) - 1; }
};

/// A residual auto-encoder on functions on the sphere. Encoder: Dense to 3/2 of the first width,
/// SiLU; for each width its residual blocks, with 2×2 average pooling between stages; Norm, SiLU,
/// Dense to Z. Decoder: the same stages backwards with nearest-neighbour upsampling; Norm, SiLU,
/// Dense. A residual block is y = Conv(SiLU(Norm(Conv(SiLU(Norm(x)))))) + Dense(x), Norm is taken a
/// sample and channel at a time over all cells, Dense is a 1×1 convolution. Weights start as
/// truncated normals of variance 1/fan-in. 16 channels with the widths 32, 64, 128, 256, two blocks
/// and 64 latent channels have 5,945,056 parameters.
///
/// Every sample is treated by itself. With padding `around` on a cube map, kernels that are
/// symmetric under the square's D4 give an O_h-equivariant network. Throws InputError for sizes
/// below 1 and sides that cannot be halved between all stages.
Network make_sphere_autoencoder(std::uint64_t seed, const SphereAutoencoderOptions& options);

struct OrthogonalHeadOptions {
  std::int64_t features = 64;  ///< channels of Z
  std::int64_t width = 128;
  std::int64_t gram = 64;  ///< features of the Gram matrix
  std::int64_t hidden = 8320;
  std::int64_t classes = 25;
  /// Brings each sample to a root mean square of 1 first. Without it the size of Z is seen, and a Z
  /// that shrank far below the floor of the norms (0.03 at the start) is hardly seen at all.
  bool unit = false;
};

/// A classifier of latent grids N×features×…, whose cells it sees as vectors in R^K: X ↦ QX for an
/// orthogonal Q, a permutation of cells for example, leaves its output as it is. Norms and neurons
/// that commute with Q, a Gram matrix ZᵀZ, whose upper triangle goes through two linear layers.
/// With the defaults 17,596,825 parameters. Throws InputError for sizes below 1.
Network make_orthogonal_head(std::uint64_t seed, const OrthogonalHeadOptions& options);

}  // namespace algprior::nn
