#pragma once

#include "algprior/nn/steerable/basis.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace algprior::steerable {

/// SO(3), or O(3) with reflections, by three rotations in general position (and −1). Irreducible
/// representations are those of spherical harmonics up to frequency `highest`: number l, or 2l + p
/// with p = 1 where −1 acts as −1. Throws InputError unless 0 ≤ highest ≤ 12.
SteeringPtr make_rotation_steering(bool reflections, int highest = 5);

/// Columns √d ψ_ij at near-uniform rotations (70 and e, which is the first; each with and without
/// −1 for O(3)), for every ψ up to a frequency, i before j: a log-density on the group is this
/// matrix times its coefficients.
RowMatrix rotation_fourier(const Steering& steering, int highest);

/// The same at 100 rotations near e, unit quaternions (1, 0, 0, 0) + noise of deviation 0.1: always
/// the same ones.
RowMatrix fourier_near_identity(const Steering& steering, int highest);

/// Kernels in the coordinates in which averaging over a density is a small matrix. For parts ψ_out
/// and ψ_in: ψ_out ⊗ ψ_in → J, harmonics j ⊗ J → ψ with ψ up to a frequency. Rows that share j, J
/// and ψ stand together, dim ψ of them, and mean λ(g) g·K multiplies their weights with
/// mean λ(g) ψ(g).
struct CoupledBasis {
  PairBasis kernels;                  ///< rows in the order of ψ
  std::vector<std::size_t> irrep;     ///< ψ of each row
  std::vector<std::int64_t> choices;  ///< how many J there are for the row's ψ_out and ψ_in
};

CoupledBasis solve_coupled_basis(const SpatialBasis& space, const FieldType& out,
                                 const FieldType& in, int highest);

}  // namespace algprior::steerable
