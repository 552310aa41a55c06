#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/rep/representation.hpp"

#include <vector>

#include <Eigen/Core>

namespace algprior {

/// The irreducible representation over C with character χ_i, as unitary matrices; real orthogonal
/// ones when χ_i is of real type. Always the same matrices for the same group value.
///
/// A subgroup H with a linear character λ that occurs m times in χ_i (m = 1 where there is one)
/// gives the positive definite function f(g) = 1/|H| Σ_{h∈H} λ(h)⁻¹ χ_i(hg); the translates of the
/// vector that f describes span m copies of the representation, one of which is split off by an
/// element of their commutant. Takes O(d²·|H|) characters and O((dm)³) arithmetic for the matrices
/// and O(|G|·d³) to check ρ(s)ρ(g) = ρ(sg) and tr ρ(g) = χ_i(g), to 1e-9, for all g and generators
/// s; where that takes long (|G|·d³ > 2·10^8) the relators of the presentation and the traces of
/// one element a class are checked instead, which says the same. Throws LimitError when m copies do
/// not fit the memory of one call.
Representation irreducible_representation(const CharacterTable& table, std::size_t i);

/// All of them, in the order of the table's rows. Σd² = |G|: below a second for most groups of
/// order 2,000.
std::vector<Representation> irreducible_representations(const CharacterTable& table,
                                                        const ProgressSink& progress = {});

/// The three kinds of irreducible representations over R, after their endomorphisms R, C or H.
enum class RealType { kReal, kComplex, kQuaternionic };

/// An irreducible representation over R by orthogonal matrices.
///
/// Of real type it is the one of χ_i itself. Else it is the realification of the one over C,
/// X + iY ↦ [[X, −Y], [Y, X]], with character χ_i + χ̄_i of dimension 2χ_i(e).
struct RealIrreducible {
  std::size_t row;  ///< i, of χ_i and its conjugate the first in the table
  RealType type;
  Representation representation;
  Representation complex_constituent;  ///< the one over C with character χ_i
  /// An orthogonal basis of the matrices that commute with the representation: 1, 2 or 4 of them,
  /// I first, each orthogonal; the units of R, C or H.
  std::vector<Eigen::MatrixXd> endomorphisms;
};

/// All irreducible representations over R, in the order of the table's rows.
std::vector<RealIrreducible> real_irreducible_representations(const CharacterTable& table);
/// The same from those over C, all of them in the table's order.
std::vector<RealIrreducible> real_irreducible_representations(
    const CharacterTable& table, const std::vector<Representation>& complex);

}  // namespace algprior
