#pragma once

#include "algprior/rep/character_table.hpp"

#include <complex>
#include <vector>

namespace algprior {

/// A subgroup H and a linear character λ of it which occurs in the restriction χ|_H.
struct Seed {
  std::vector<Element> subgroup;
  std::vector<std::complex<double>> lambda;  ///< λ of each
  std::size_t multiplicity;                  ///< ⟨χ|_H, λ⟩ ≥ 1
};

/// A seed for χ_i on a cyclic subgroup with the smallest multiplicity, the smallest such subgroup
/// first; on a subgroup of prime-power order where that would leave large matrices to split. With
/// `real`, λ takes the values ±1 only.
Seed find_seed(const CharacterTable& table, std::size_t i, bool real);

/// Looks for a smaller multiplicity along a chain of p-subgroups up to a Sylow subgroup, for each
/// prime p. O(|G|) products a step of a chain.
void improve_by_p_subgroups(const CharacterTable& table, std::size_t i, bool real, Seed& seed);

}  // namespace algprior
