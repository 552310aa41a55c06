#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"

#include <string_view>

namespace algprior {

/// The group that a text names:
///  - a name of the catalogue, "D4", "C_12", "S5", "Q8", "Oh" (catalogue.hpp lists them), and what
///  is built
///    from names, tightest first: powers "C2^3", wreath products "C2wrS3", semidirect products
///    "C7:C3" of cyclic groups, direct products "D4xD4"; parentheses group, "(C2xC2)wrC3". Capitals
///    do not matter. Where C8:C2 names several groups, the generator of C2 acts by the smallest
///    power it can, Group::remark() names the others, and "C8:5C2" chooses x ↦ x^5;
///  - matrices over a finite field, "GL(2,3)", "SL(2,3)", "PGL(2,5)", "PSL(2,7)";
///  - permutation generators in cycle notation, "(1,2,3,4);(1,2)";
///  - a presentation, "<r,s | r^4, s^2, (r*s)^2>";
///  - a multiplication table, "[[0,1],[1,0]]", checked.
/// Blanks are ignored. Throws InputError that points at the column, LimitError above the limits.
Group make_group(std::string_view spec, const GroupLimits& limits = {});

}  // namespace algprior
