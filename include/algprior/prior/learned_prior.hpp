#pragma once

#include "algprior/prior/algebra_loss.hpp"
#include "algprior/prior/terms.hpp"

namespace algprior {

/// The weights of L_opt beside the task.
struct LearnedPriorWeights {
  double latent_to_output = 0.5;  ///< λ_t
  double equivariance = 1.0;      ///< λ_e
  double algebra = 1.0;      ///< λ_a; the relators have weights of their own in AlgebraOptions
  double regulariser = 1.0;  ///< λ_a again in the paper
};

/// The latent representation is learned with the network, L_opt of the paper:
///
///   L_task(D(E(x)), y)
///   + λ_t L_task(D(ρ̂(g)E(x)), g·y)     "latent_to_output"
///   + λ_e MSE(ρ̂(g)E(x), E(g·x))        "equivariance"
///   + λ_a (ALG(ρ̂) + REG(ρ̂))            "algebra" and "regulariser"
///
/// This adds all terms but the task's. A term of weight 0 is measured without a gradient. Knows no
/// network: train/learned_step.hpp makes a training step of it.
class LearnedPrior {
 public:
  /// Throws InputError when ρ̂ and the algebra loss are of different groups, ρ̂ is a batch of
  /// representations, or a weight is negative or not finite.
  LearnedPrior(LearnedRepresentation representation, AlgebraLoss algebra,
               LearnedPriorWeights weights = {});

  /// ρ̂(g) z, computed once for both terms that need it. Throws DivergedError when ρ̂ is not finite.
  at::Tensor move(const at::Tensor& g, const at::Tensor& z) const;

  /// `moved` = move(g, z), `zg` = E(g·x); `task` = L_task(D(moved), g·y), which may be undefined:
  /// then the term is left out.
  void add_terms(Terms& terms, const at::Tensor& moved, const at::Tensor& zg,
                 const at::Tensor& task = {}) const;

  const LearnedRepresentation& representation() const noexcept { return representation_; }
  const AlgebraLoss& algebra() const noexcept { return algebra_; }
  const LearnedPriorWeights& weights() const noexcept { return weights_; }

 private:
  LearnedRepresentation representation_;
  AlgebraLoss algebra_;
  LearnedPriorWeights weights_;
};

}  // namespace algprior
