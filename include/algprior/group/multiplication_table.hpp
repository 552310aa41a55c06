#pragma once

#include "algprior/group/group.hpp"

#include <vector>

namespace algprior {

/// The group with the product g·h = table[g][h]. The identity becomes element 0; the others keep
/// their order. Checks all axioms, associativity by Light's test on a generating set, O(n² ·
/// generators). Throws InputError that names the axiom and the elements that break it.
Group group_from_table(const std::vector<std::vector<Element>>& table);

}  // namespace algprior
