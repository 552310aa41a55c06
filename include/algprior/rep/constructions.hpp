#pragma once

#include "algprior/rep/representation.hpp"

#include <complex>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace algprior {

// Where a representation is given on generators, it is given in the order of group.generators() and
// checked on every relator of group.presentation(); a failing relator is named in the InputError.

/// ρ_reg(g)e_h = e_{gh} on R^|G|; a permutation representation.
Representation regular_representation(const Group& group);

/// The group's own permutation action: D_n on its vertices, S_n on points, the cube on its 8
/// vertices, a permutation group on its points, G×H on pairs of points (the tensor product).
/// Throws InputError for a group that carries none.
Representation defining_representation(const Group& group);

/// ρ(g) = I on R^dimension.
Representation trivial_representation(const Group& group, std::size_t dimension = 1);

/// The sign of the group's defining permutation, the sign character of S_n; for a direct product
/// the product of the factors' signs. Throws InputError as defining_representation does.
Representation sign_representation(const Group& group);

/// The one-dimensional representation with the given value on each generator.
Representation linear_representation(const Group& group,
                                     const std::vector<std::complex<double>>& generators);

/// ρ(s)e_i = e_{π_s(i)} for one permutation π_s of 0 … d−1 a generator.
Representation permutation_representation(const Group& group,
                                          const std::vector<Permutation>& generators);

/// From one d×d matrix a generator. Throws InputError when a relator w has ‖ρ(w) − I‖_F above the
/// tolerance; approximate.hpp is for those.
Representation matrix_representation(const Group& group, std::vector<Eigen::MatrixXd> generators,
                                     double tolerance = 1e-8);
Representation complex_matrix_representation(const Group& group,
                                             std::vector<Eigen::MatrixXcd> generators,
                                             double tolerance = 1e-8);

/// The same without the check on relators.
Representation matrix_representation_unchecked(const Group& group,
                                               std::vector<Eigen::MatrixXd> generators);
Representation matrix_representation_unchecked(const Group& group,
                                               std::vector<Eigen::MatrixXcd> generators);

/// ρ_1 ⊕ ρ_2 ⊕ …, as consecutive blocks. All of one group; at least one.
Representation direct_sum(const std::vector<Representation>& summands);

/// n·ρ = ρ ⊕ … ⊕ ρ: copy b owns the coordinates b·d … b·d+d−1.
Representation copies(const Representation& representation, std::size_t n);

/// ρ ⊗ σ: e_i ⊗ e_j is coordinate i·dim σ + j.
Representation tensor_product(const Representation& a, const Representation& b);

/// The tensor product of a representation of G and one of H as one of the product G×H whose element
/// (g, h) has the index g·|H| + h.
Representation outer_tensor_product(const Group& product, const Representation& a,
                                    const Representation& b);

/// ρ*(g) = ρ(g⁻¹)ᵀ; a permutation representation is its own dual.
Representation dual(const Representation& representation);

/// ρ∘φ for a homomorphism φ: H → G given on every element of H: restriction to a subgroup when φ
/// is injective, inflation from a quotient when it is not. φ is checked on H × generators of H.
Representation restriction(const Representation& representation, const Group& subgroup,
                           const std::vector<Element>& embedding);

/// Ind_H^G ρ for an injective homomorphism H → G given on every element of H. With left coset
/// representatives t_0 = e, t_1, … (each the smallest of its coset), ρ_ind(g)(e_i ⊗ v) =
/// e_j ⊗ ρ(h)v where g t_i = t_j h; e_i ⊗ v is coordinate i·dim ρ + v.
Representation induction(const Representation& representation, const Group& group,
                         const std::vector<Element>& embedding);

/// B⁻¹ρ(g)B: the columns of B are the new basis. Throws InputError when B is not invertible.
Representation change_of_basis(const Representation& representation, const Eigen::MatrixXd& basis);
Representation change_of_basis(const Representation& representation, const Eigen::MatrixXcd& basis);

}  // namespace algprior
