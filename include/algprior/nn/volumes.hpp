#pragma once

#include "algprior/nn/network.hpp"

#include <cstdint>

namespace algprior::nn {

/// The residual network of the MedMNIST3D experiment for volumes N×1×n×n×n with n ≥ 28. All widths
/// are multiples of c, and dim Z = 8c: 141,998 parameters for c = 6 and two classes.
struct VolumeNetworkOptions {
  std::int64_t width = 6;  ///< c; 7 has the 0.19 million parameters that the paper's table prints
  std::int64_t classes = 2;
};

/// Volumes are replicated by one voxel at the front of each axis first (28 → 29). z is taken before
/// batch norm and activation; what is left of a larger volume is averaged over its positions. The
/// joint pass takes batch statistics for each stream. The weights depend on the seed alone. Throws
/// InputError for sizes below 1, and, applied, for other samples.
Network make_volume_network(std::uint64_t seed, const VolumeNetworkOptions& options = {});

}  // namespace algprior::nn
