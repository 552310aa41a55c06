#pragma once

#include "algprior/nn/network.hpp"

#include <cstdint>

namespace algprior::nn {

/// The network of the SMOKE experiment: four 3×3 convolutions with batch norm and ReLU, whose last
/// output is Z (a grid of `hidden` channels), and a 3×3 convolution to the next frame. 247,850
/// parameters with its defaults.
struct FluidNetworkOptions {
  std::int64_t frames = 10;  ///< of the past, two components each
  std::int64_t hidden = 92;
  std::int64_t side = 64;  ///< of the grid, for the shape of Z
};

/// For N×(2·frames)×side×side, frame-major; gives N×2×side×side. Its joint pass takes batch
/// statistics for each stream. The weights depend on the seed alone. Throws InputError for sizes
/// below 1, and, applied, for other samples.
Network make_fluid_network(std::uint64_t seed, const FluidNetworkOptions& options = {});

/// The MLP of the same experiment: all frames flattened to 92 numbers, three hidden layers of 92
/// with batch norm and ReLU, whose last output is Z, and a linear layer to the next frame.
/// 8,324,992 parameters.
Network make_fluid_mlp(std::uint64_t seed, const FluidNetworkOptions& options = {});

}  // namespace algprior::nn
