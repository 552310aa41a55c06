#pragma once

#include "algprior/rep/representation.hpp"

#include <vector>

#include <Eigen/Core>

namespace algprior {

/// ρ as the decomposition sees it: unitary after the change of basis W, ρ(g) = W⁻¹υ(g)W.
struct UnitaryForm {
  Representation representation;             ///< ρ
  std::vector<Eigen::MatrixXcd> generators;  ///< υ(s); empty for a permutation representation
  std::vector<Eigen::MatrixXcd> inverses;    ///< υ(s)⁻¹
  Eigen::MatrixXcd to_unitary;               ///< W; empty when ρ is unitary already
  Eigen::MatrixXcd from_unitary;             ///< W⁻¹
};
UnitaryForm unitary_form(const Representation& representation);

/// For each irreducible representation ρ_i its m_i copies in υ, as one dim ρ × d_i matrix a copy:
/// orthonormal columns C with υ(g)C = Cρ_i(g).
std::vector<std::vector<Eigen::MatrixXcd>> copies_of_irreps(
    const UnitaryForm& form, const std::vector<Representation>& irreps,
    const std::vector<std::size_t>& multiplicities);

}  // namespace algprior
