#pragma once

#include "algprior/nn/network.hpp"

#include <cstdint>
#include <vector>

namespace algprior::nn {

struct MlpOptions {
  std::int64_t inputs = 0;                        ///< numbers in one sample
  std::vector<std::int64_t> hidden = {256, 128};  ///< sizes of the layers before Z
  std::int64_t latent = 64;                       ///< dim Z
  std::int64_t classes = 10;
  bool head_activation = true;  ///< tanh between z and the head
};

/// A classifier for samples of any shape: flatten, then Linear and tanh for each hidden size,
/// Linear to z, tanh unless switched off, Linear to the classes. z is taken before its activation.
/// The weights depend on the seed alone. Throws InputError for sizes below 1, and, applied, for
/// samples of another size.
Network make_mlp_network(std::uint64_t seed, const MlpOptions& options);

}  // namespace algprior::nn
