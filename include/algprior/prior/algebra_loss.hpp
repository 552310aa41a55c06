#pragma once

#include "algprior/group/presentation.hpp"
#include "algprior/prior/learned_representation.hpp"

#include <string>
#include <vector>

namespace algprior {

/// What the paper adds to the algebra loss.
enum class Regulariser {
  none,
  /// Σ MSE(ρ̂(s)^(n−1), ρ̂(s)⁻¹) over the generators s, n the order of s: MSE(W, W⁻¹) for C2,
  /// MSE(W³, W⁻¹) for C4. The inverse comes from a linear solve and is differentiated through.
  inverse,
  /// −damping · Σ MSE(ρ̂(w), I) over the relators w in which several generators meet, with the
  /// weights that they have in the algebra loss: takes most of the weight from (rs)² of D3.
  damped_commutation,
};

struct AlgebraOptions {
  std::vector<double> weights = {};  ///< one for each relator; empty: 1 for all
  Regulariser regulariser = Regulariser::none;
  double damping = 0.995;  ///< of damped_commutation
};

/// The values of one evaluation, each a scalar, or one value for each of S representations.
struct AlgebraValues {
  std::vector<at::Tensor> relators;  ///< MSE(ρ̂(w), I), unweighted, in the order of the relators
  at::Tensor algebra;                ///< Σ weight · relator
  at::Tensor regulariser;            ///< undefined for Regulariser::none
};

/// The algebra loss of the paper: how far ρ̂ is from a representation of G = ⟨generators |
/// relators⟩, MSE(ρ̂(w), I) for every relator w, the mean over the d² entries. Zero exactly when ρ̂
/// is one.
class AlgebraLoss {
 public:
  /// With the group's own presentation.
  explicit AlgebraLoss(const Group& group, AlgebraOptions options = {});
  /// With any presentation of the group on its generators. When the presentation's names are those
  /// of the group's generators they are matched by name, else by place. Throws InputError naming
  /// the relator that does not hold in the group, or both orders when the relators define a larger
  /// group; also for weights that do not fit or are not finite. LimitError when coset enumeration
  /// cannot tell.
  AlgebraLoss(const Group& group, const Presentation& presentation, AlgebraOptions options = {});

  const Group& group() const noexcept { return group_; }
  /// On the group's generators, in their order.
  const Presentation& presentation() const noexcept { return presentation_; }
  const AlgebraOptions& options() const noexcept { return options_; }

  /// Throws InputError when ρ̂ is one of another group. Throws DivergedError naming the generator
  /// when a matrix to invert is singular to the last bit; among S representations such a one gets
  /// values that are not finite instead, and the others are not disturbed.
  AlgebraValues operator()(const LearnedRepresentation& representation) const;

 private:
  at::Tensor inverse_term(const LearnedRepresentation& representation) const;

  Group group_;
  Presentation presentation_;
  AlgebraOptions options_;
};

}  // namespace algprior
