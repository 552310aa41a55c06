#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/train/step.hpp"

#include <cstdint>
#include <string_view>

namespace algprior {

/// A prior's weight without a search: so large that its pull is `ratio` times that of all other
/// terms, over the parameters that it reaches.
struct Balance {
  double ratio = 0.0;                      ///< 0: weights stay as the step has them
  std::string_view term = "equivariance";  ///< this term, and those of its name for each layer
  std::int64_t every = 0;    ///< epochs between two measurements; 0: at the start only
  std::int64_t batches = 4;  ///< that a measurement takes
};

/// The factor on the weights of the balanced terms: ratio · Σ‖∇rest‖ / Σ‖∇term‖ over a few batches,
/// shuffled by the key. Leaves the network as it was, running averages and LibTorch's generator
/// included. Throws InputError when the step has no such term or it has no gradient.
double balanced_factor(const Balance& balance, const Network& network, const Step& step,
                       const Dataset& data, std::int64_t batch_size, const RandomKey& key);

}  // namespace algprior
