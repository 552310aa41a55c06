#pragma once

#include "algprior/nn/steerable/steering.hpp"
#include "algprior/prior/terms.hpp"

#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior::steerable {

/// How much of a symmetry a layer keeps: a density λ on a group with mean 1, as
/// λ(g) = exp l(g) / mean exp l, where l = Σ_ψ √d_ψ Σ_ij c^ψ_ij ψ(g)_ij has as many coefficients c
/// as the group has elements. Uniform: the layer is equivariant. All at e: its kernel is free.
///
/// Of SO(3) and O(3), l has the coefficients up to a frequency, and elements are those of a grid of
/// rotations.
struct Likelihood {
  at::Tensor coefficients;  ///< c; trained
  at::Tensor fourier;       ///< l = fourier · c, elements × coefficients; e is the first element
  at::Tensor inverse;       ///< continuous groups: c by least squares from values at the elements
  at::Tensor near;          ///< continuous groups: like fourier, at further elements near e
};

/// The uniform density: c = 1 for the trivial representation, 0 elsewhere. `highest` is the band
/// limit for continuous groups; finite ones have none.
Likelihood make_likelihood(const Steering& steering, int highest = 2);

/// λ, one number for each element.
at::Tensor density(const Likelihood& likelihood);
/// max l(g) − l(e): how far e is from being the likeliest. Of continuous groups the maximum is also
/// over elements near e, closer than those of the grid are.
at::Tensor alignment(const Likelihood& likelihood);
/// mean λ log λ.
at::Tensor divergence_from_uniform(const Likelihood& likelihood);
/// mean λ (log λ − log λ′), λ′ of the layer before taken as given.
at::Tensor divergence(const Likelihood& likelihood, const Likelihood& before);

struct LikelihoodWeights {
  double alignment = 5;
  double chain = 3;    ///< of the divergence from the layer before
  double uniform = 3;  ///< of the first layer's divergence from the uniform density
};

/// "alignment" (the sum over layers), "likelihood_uniform" and "likelihood_chain" (means over
/// layers) of likelihoods in the order of their layers.
std::vector<Term> likelihood_terms(const std::vector<Likelihood>& layers,
                                   const LikelihoodWeights& weights);

}  // namespace algprior::steerable
