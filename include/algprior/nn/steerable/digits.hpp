#pragma once

#include "algprior/nn/network.hpp"
#include "algprior/nn/steerable/system.hpp"

#include <cstdint>
#include <string>

namespace algprior::steerable {

struct DigitNetworkOptions {
  std::string group = "D4";  ///< of the grid: D4, C4, D1, …
  SystemOptions system = {};
  /// Hidden fields carry the trivial representation alone instead of every irreducible one.
  bool trivial_fields = false;
  std::int64_t width = 6;    ///< fields of the first layer; the others are multiples
  std::int64_t latent = 48;  ///< dim Z
  std::int64_t classes = 100;
};

/// The steerable classifiers of 56×56 images that the paper compares with: six convolutions
/// between gated fields, Gaussian pooling, sizes that keep every stride symmetric (57, 55, 27, 15,
/// 7, 3, 1), so that a group of the grid leaves the output of an equivariant system as it is, up to
/// rounding. Z is the invariant vector before the classifier. Throws InputError for groups that do
/// not fit.
Network make_digit_network(std::uint64_t seed, const DigitNetworkOptions& options);

}  // namespace algprior::steerable
