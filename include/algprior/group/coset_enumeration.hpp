#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"

#include <vector>

namespace algprior {

/// The right cosets Hw of a subgroup H of a finitely presented group, and how the generators
/// permute them.
struct CosetTable {
  std::size_t count = 1;                    ///< the index [G : H]
  std::vector<std::vector<Element>> right;  ///< right[s][c] = c · generator s; coset 0 is H
  std::size_t defined = 1;                  ///< cosets defined on the way, a measure of the work
};

/// Todd–Coxeter coset enumeration of G = ⟨generators | relators⟩ over H = ⟨subgroup⟩, cosets
/// numbered breadth-first from H over the generators. Works relator by relator (the method of
/// Haselgrove, Leech and Trotter) with lookahead when the table is full. Memory: at most
/// limits.max_cosets rows of 8 bytes a generator. Throws LimitError when that many cosets do not
/// suffice, which an infinite index always ends in, and InputError for a letter that is no
/// generator.
CosetTable enumerate_cosets(const Presentation& presentation,
                            const std::vector<Word>& subgroup = {}, const GroupLimits& limits = {});

}  // namespace algprior
