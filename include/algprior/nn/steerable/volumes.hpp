#pragma once

#include "algprior/nn/network.hpp"
#include "algprior/nn/steerable/system.hpp"

#include <cstdint>
#include <string>

namespace algprior::steerable {

struct VolumeNetworkOptions {
  /// "SO(3)", "O(3)", or a group of the grid: cube, Oh, T, Td, Th.
  std::string symmetry = "SO(3)";
  SystemOptions system = {.likelihood = {.alignment = 5, .chain = 1, .uniform = 1}};
  std::int64_t width = 6;  ///< c: fields of the first layer; dim Z = 8c
  std::int64_t classes = 2;
};

/// The steerable classifiers of 28×28×28 volumes that the paper compares with: three residual
/// blocks between gated fields of frequencies up to 3 (up to 2 with both parities for O(3)), and
/// invariant features before the classifier. rpp adds a free residual block to each; pscnn averages
/// the second, fourth and sixth convolution with their skips, a density for each pair. For a group
/// of the grid the fields are those of SO(3), restricted. Throws InputError for other groups and
/// systems.
Network make_volume_network(std::uint64_t seed, const VolumeNetworkOptions& options);

}  // namespace algprior::steerable
