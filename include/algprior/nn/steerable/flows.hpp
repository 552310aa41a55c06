#pragma once

#include "algprior/nn/network.hpp"
#include "algprior/nn/steerable/system.hpp"

#include <cstdint>

namespace algprior::steerable {

/// The systems that predict the next frame of a flow, each a choice of kernel map.
enum class FlowSystem {
  e2cnn,   ///< projected
  rpp,     ///< projected + free
  lift,    ///< projected, beside a code of the whole input that no symmetry binds
  rgroup,  ///< bank_mixed
  rsteer,  ///< position_relaxed
  pscnn    ///< lambda_averaged
};

struct FlowNetworkOptions {
  FlowSystem system = FlowSystem::e2cnn;
  std::int64_t frames = 10;  ///< of the input, (u, v) each
  std::int64_t height = 64, width = 64;
  std::int64_t hidden = 92;  ///< regular fields of C4 in the hidden layers
  /// The published action, which turns velocities backwards on odd quarter turns, instead of the
  /// physical one.
  bool published_sign = false;
  AveragedOptions averaged = {.duplicates = true, .normalised = true};  ///< of pscnn
  LikelihoodWeights likelihood = {};                                    ///< of pscnn
  double decay = 1e-6;  ///< of rpp's free weights: (decay·|θ|²)² is lost
  /// Of rsteer: (smoothness · Σ mean |w(p) − w(p+1)|)² over neighbouring points is lost.
  double smoothness = 1e-5;
  std::int64_t banks = 2;   ///< of rgroup
  bool vectors = true;      ///< rgroup: velocities turn with the plane; else they are scalars
  bool activations = true;  ///< rgroup: ReLU after every hidden layer; else after the first only
  std::int64_t code_width = 32;  ///< of lift's encoder
};

/// Five 3×3 convolutions from the last frames of a flow to the next one, equivariant or nearly so
/// under quarter turns of the box. Z is the last hidden layer. Throws InputError for sizes below 1.
Network make_flow_network(std::uint64_t seed, const FlowNetworkOptions& options);

}  // namespace algprior::steerable
