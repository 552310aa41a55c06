#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"

namespace algprior {

/// The classical groups of n×n matrices over the field with q elements: all invertible ones (GL),
/// those of determinant 1 (SL), and both modulo scalars (PGL, PSL).
enum class LinearKind { kGeneral, kSpecial, kProjectiveGeneral, kProjectiveSpecial };

/// Largest field that is built.
inline constexpr unsigned kLargestField = 256;
inline constexpr unsigned kLargestLinearSize = 16;

/// Whether q is a power of a prime.
bool is_prime_power(unsigned q);

/// |G|, also far beyond what can be enumerated.
double linear_group_order(LinearKind kind, unsigned n, unsigned q);

/// The group, n ≥ 2 and q a prime power of at most kLargestField (unchecked). Generators: the
/// transvections t: e₂ ↦ e₂ + a·e₁ for a basis of a over the prime field, the monomial matrix w of
/// determinant 1 that turns the axes round, and d = diag(ω, 1, …, 1), ω a primitive element, for GL
/// and PGL. The defining action is on non-zero vectors, or on the points of projective space.
/// Throws LimitError above limits.max_order.
Group linear_group(LinearKind kind, unsigned n, unsigned q, const GroupLimits& limits);

}  // namespace algprior
