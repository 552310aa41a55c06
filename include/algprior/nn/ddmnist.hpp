#pragma once

#include "algprior/nn/network.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace algprior::nn {

/// One row of a network's layer table: a square convolution with what follows it.
struct ConvRow {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t pool_kernel = 0;  ///< average pooling, 0 for none; padding counts in the divisor
  std::int64_t pool_stride = 1;
  std::int64_t pool_padding = 0;
};

/// The classifier of the double-digit experiment before its latent layer. Each row is followed by
/// batch norm and ELU; images are replicated by one pixel at the top and left first (56 → 57).
inline constexpr std::array kDdmnistRows = {
    ConvRow{1, 6, 7, 1, 2},             // 6×55×55
    ConvRow{6, 12, 5, 1, 2, 5, 2, 1},   // 12×55×55 → 12×27×27
    ConvRow{12, 24, 3, 2, 2, 5, 2, 1},  // 24×15×15 → 24×7×7
    ConvRow{24, 36, 3, 2, 0},           // 36×3×3
    ConvRow{36, 36, 3, 1, 1, 5, 1, 1},  // 36×3×3 → 36×1×1
};

struct DdmnistNetworkOptions {
  std::int64_t latent = 66;    ///< dim Z, the filters of the 1×1 convolution that makes z
  std::int64_t classes = 100;  ///< 10 digits × 10 digits
  std::vector<std::int64_t> hidden = {};  ///< widths of layers between Z and the outputs
  /// Which layer Z is: 0 the latent vector, k the grid behind row k of the table.
  std::int64_t layer = 0;
};

/// Image side that the layer table is made for.
inline constexpr std::int64_t kDdmnistSide = 56;

/// The network of the double-digit experiment: 33,742 parameters with its defaults. z is taken
/// before batch norm and activation. The weights depend on the seed alone (LibTorch's default
/// initialisation, drawn layer by layer); the global generator is left as it was. Its joint pass
/// takes batch statistics for each stream. Throws InputError for images other than N×1×56×56.
Network make_ddmnist_network(std::uint64_t seed, const DdmnistNetworkOptions& options = {});

}  // namespace algprior::nn
