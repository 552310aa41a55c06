#pragma once

#include "algprior/action/action.hpp"
#include "algprior/prior/head.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace algprior {

/// How many invariant numbers exact equivariance to ρ_Z leaves a linear head:
///
///   1/|G| Σ_g tr ρ_Z(g),
///
/// the multiplicity of the trivial representation in ρ_Z, which for permutations of coordinates is
/// the number of their orbits. A whole number for a representation, near one for a learned ρ̂. For
/// invariant labels a head that is linear in Z, or linear behind coordinate-wise functions, can use
/// no more (docs/prior.md has the lemma and its proof).
///
/// `shape` is that of one latent without the batch: {66}, or {92, 64, 64} for a grid. Actions that
/// permute coordinates, with or without signs, cost one pass an element. Throws LimitError for any
/// other action on more than kMostRoomDimension coordinates.
double invariant_room(const Action& latent, const std::vector<std::int64_t>& shape);

inline constexpr std::int64_t kMostRoomDimension = 4096;

/// The case of the lemma that a head falls under, in words for people: what it can see of a Z with
/// so many invariants, and, where that is little for this number of classes, what gives more room.
std::string room_advice(Head head, double invariants, std::int64_t dimension, std::int64_t classes);

}  // namespace algprior
