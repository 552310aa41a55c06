#pragma once

#include "algprior/rep/irreps.hpp"
#include "algprior/rep/representation.hpp"

#include <vector>

#include <Eigen/Core>

namespace algprior {

/// Copy `copy` of irreducible representation `irrep` on the coordinates offset …
/// offset+dimension−1.
struct Summand {
  std::size_t irrep;
  std::size_t copy;
  std::size_t offset;
  std::size_t dimension;
};

/// B⁻¹ρ(g)B = ⊕ ρ_i(g), every copy of ρ_i by the same matrices. B is unitary (orthogonal) when ρ
/// is.
template <class Matrix>
struct Decomposition {
  std::vector<std::size_t> multiplicities;  ///< one for each irreducible representation given
  std::vector<Summand> summands;            ///< in the order of their offsets
  Matrix basis;                             ///< B
  Matrix inverse;                           ///< B⁻¹
  double residual;     ///< max ‖B⁻¹ρ(s)B − ⊕ρ_i(s)‖_F over the generators s
  double error_bound;  ///< (1 + residual)^L − 1, L the longest word: no element is off by more
};
using ComplexDecomposition = Decomposition<Eigen::MatrixXcd>;
using RealDecomposition = Decomposition<Eigen::MatrixXd>;

/// How often each of the irreducible representations (unitary, over C) occurs in ρ: ⟨χ_i, χ_ρ⟩.
/// Throws InputError when these are not whole numbers or do not add up to dim ρ.
std::vector<std::size_t> multiplicities(const Representation& representation,
                                        const std::vector<Representation>& irreps);

/// Decomposes ρ over C into the given irreducible representations.
///
/// The copies of ρ_i are the images of random vectors under d_i/|G| Σ_g conj(ρ_i(g)_{j1}) ρ(g),
/// which all irreducible representations accumulate in one walk over the group. A ρ that is not
/// unitary is made so by the invariant inner product 1/|G| Σ ρ(g)*ρ(g) first. Time O(|G|·dim
/// ρ·Σd_im_i) for a permutation representation, dim ρ times as much for matrices. Throws LimitError
/// when B would not fit the memory of one call.
ComplexDecomposition decompose(const Representation& representation,
                               const std::vector<Representation>& irreps);

/// The same over R for a real ρ.
RealDecomposition decompose_real(const Representation& representation,
                                 const std::vector<RealIrreducible>& irreps);

/// The projection d_i/|G| Σ_g conj(χ_i(g)) ρ(g) onto all copies of ρ_i together.
Eigen::MatrixXcd isotypic_projection(const Representation& representation,
                                     const Representation& irrep);
/// The same over R.
Eigen::MatrixXd isotypic_projection(const Representation& representation,
                                    const RealIrreducible& irrep);

}  // namespace algprior
