#pragma once

#include "algprior/action/action.hpp"
#include "algprior/prior/terms.hpp"
#include "algprior/rep/representation.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace algprior {

/// One latent layer and the action ρ_Z that is asked of it.
struct LatentTarget {
  std::size_t layer = 0;  ///< its place among the network's latents
  Action action;
};

/// What a prior asks to be small.
enum class LossScale {
  absolute,       ///< the paper's mean squared error
  relative,       ///< that over the spread of Z (prior/equivariance.hpp says why)
  against_first,  ///< departure D-4 of the published code: loss_against_first
};

/// The paper's method: latent layers are asked to carry representations that are fixed beforehand.
/// It has no parameters; it adds λ·MSE(E(g·x), ρ_Z(g)E(x)) for each target to a step's terms, named
/// "equivariance", or "equivariance_<layer>" when there are several.
class FixedPrior {
 public:
  /// Throws InputError without targets, with two targets on one layer, or for a weight λ that is
  /// negative or not finite.
  FixedPrior(std::vector<LatentTarget> targets, double weight,
             LossScale scale = LossScale::absolute);

  /// z and zg are the latents of x and of g·x. With λ = 0 the loss is measured without a gradient.
  /// Throws InputError when a layer does not exist or shapes differ.
  void add_terms(Terms& terms, const std::vector<at::Tensor>& z, const std::vector<at::Tensor>& zg,
                 const at::Tensor& g) const;

  const std::vector<LatentTarget>& targets() const noexcept { return targets_; }
  double weight() const noexcept { return weight_; }

 private:
  std::vector<LatentTarget> targets_;
  double weight_;
  LossScale scale_;
};

/// A prior on one latent vector of the given dimension (layer 0).
FixedPrior make_fixed_prior(const Representation& representation, std::int64_t dimension,
                            double weight);

}  // namespace algprior
