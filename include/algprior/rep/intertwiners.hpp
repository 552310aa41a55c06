#pragma once

#include "algprior/rep/decomposition.hpp"

#include <vector>

#include <Eigen/Core>

namespace algprior {

/// dim Hom_G(ρ, σ) = ⟨χ_ρ, χ_σ⟩ = Σ m_i n_i, the same over R and over C.
std::size_t intertwiner_dimension(const Representation& from, const Representation& to);

/// A basis of Hom_G(ρ, σ) = {T : Tρ(g) = σ(g)T}, each T of size dim σ × dim ρ: one T for each pair
/// of copies of an irreducible representation in ρ and in σ, I on these copies and 0 on the others.
/// Orthogonal when ρ and σ are unitary. Throws LimitError when the basis would not fit the memory
/// of one call.
std::vector<Eigen::MatrixXcd> intertwiners(const Representation& from, const Representation& to,
                                           const std::vector<Representation>& irreps);

/// The same over R: for each pair of copies one T for every unit of the endomorphisms R, C or H.
std::vector<Eigen::MatrixXd> intertwiners(const Representation& from, const Representation& to,
                                          const std::vector<RealIrreducible>& irreps);

}  // namespace algprior
