#pragma once

#include "algprior/group/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace algprior {

class Group;

/// A permutation of the points 0 … d−1: p[v] is the image of v. Permutations act from the left, so
/// the product pq sends v to p[q[v]].
using Permutation = std::vector<std::uint32_t>;

/// The product pq, v ↦ p[q[v]]. Both must have the same degree (unchecked).
Permutation compose(const Permutation& p, const Permutation& q);
Permutation inverse(const Permutation& p);

/// Reads permutations in disjoint cycle notation with points from 1, separated by semicolons:
/// "(1,2,3,4);(1,2)". "()" is the identity. All get the degree of the largest point. Throws
/// InputError that points at the column.
std::vector<Permutation> parse_permutations(std::string_view text);

/// "(1,2,3)(4,5)" with points from 1; "()" for the identity.
std::string to_cycles(const Permutation& p);

/// The group that permutations of one degree generate, its elements breadth-first from e over the
/// generators in the given order. Time and memory O(order · degree). Throws InputError for
/// something that is no permutation, LimitError above limits.max_order.
Group group_from_permutations(const std::vector<Permutation>& generators,
                              const GroupLimits& limits = {});

}  // namespace algprior
