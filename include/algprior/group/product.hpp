#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"

#include <vector>

namespace algprior {

/// G × H; the pair (g,h) has index g·|H| + h. Factors that are direct products themselves are
/// flattened. The generators are those of the factors in turn, with the number of the factor behind
/// their names: r1, s1, r2, s2. O(|G||H|) beside the table.
Group direct_product(const Group& g, const Group& h, const GroupLimits& limits = {});
/// The direct product of one or more groups, the leftmost slowest.
Group direct_product(const std::vector<Group>& factors, const GroupLimits& limits = {});

/// The factors of a direct product, leftmost first; {g} for any other group.
std::vector<Group> factors(const Group& group);
/// The components of an element, one a factor.
std::vector<Element> components(const Group& group, Element g);
/// The element with the given components.
Element from_components(const Group& group, const std::vector<Element>& components);

/// N ⋊ H; (n,h) has index n·|H| + h and (n₁,h₁)(n₂,h₂) = (n₁ · φ_{h₁}(n₂), h₁h₂). `action[k][i]` is
/// the image of generator i of N under generator k of H. Generators: those of N, then those of H.
/// Throws InputError when an image list is no automorphism of N or the action breaks a relator of
/// H.
Group semidirect_product(const Group& n, const Group& h,
                         const std::vector<std::vector<Element>>& action,
                         const GroupLimits& limits = {});

/// G ≀ H = G^d ⋊ H, where H permutes the d copies as its defining permutations do (as its regular
/// ones if it has none): h moves the copy at v to h·v. Index: (index in G^d)·|H| + h.
Group wreath_product(const Group& g, const Group& h, const GroupLimits& limits = {});

}  // namespace algprior
