#pragma once

#include "algprior/nn/steerable/field.hpp"
#include "algprior/nn/steerable/spatial.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>

namespace algprior::steerable {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Kernels from one field to another, sampled on the kernel's points: row e is B_e[out, in, point],
/// the point fastest. Each stems from one irreducible part of either field.
struct PairBasis {
  RowMatrix elements;
  std::vector<std::int64_t> out_place;  ///< the part's place in the output field
  std::vector<std::int64_t> in_irrep;   ///< which irreducible representation of the input it takes

  std::int64_t size() const { return elements.rows(); }
  friend bool operator==(const PairBasis&, const PairBasis&) = default;
};
using PairBasisPtr = std::shared_ptr<const PairBasis>;

/// A basis of the kernels with K(gx) = ρ_out(g) K(x) ρ_in(g)⁻¹: for each pair of irreducible parts
/// and each frequency the vectors that S_g ⊗ ψ_out(g) ⊗ ψ_in(g) leaves fixed for every generator g,
/// once for each ring. Every element has norm² dim ψ_out; those that the grid cannot see (norm²
/// below 0.01 before) are left out.
///
/// Solved once: kept in memory, and where solving takes longer than reading (SO(3), O(3); planar
/// groups take a millisecond) as a checked file of cache_folder()/bases under the hash of all that
/// it depends on. Throws InputError when the fields have different groups or the axes differ.
PairBasisPtr equivariant_basis(const SpatialBasis& space, const FieldType& out,
                               const FieldType& in);

/// The same from the file or solved, past the process's memory.
PairBasisPtr read_or_solve_basis(const SpatialBasis& space, const FieldType& out,
                                 const FieldType& in);

/// The same, solved now.
PairBasis solve_equivariant_basis(const SpatialBasis& space, const FieldType& out,
                                  const FieldType& in);

/// All kernels, moved by one element of the group: row e of the result is T_g applied to the e-th
/// of the products (function of a ring) × (coordinate of ψ_out) × (coordinate of ψ_in), places and
/// irreps as above.
PairBasis moved_kernels(const SpatialBasis& space, const FieldType& out, const FieldType& in,
                        std::size_t element);

}  // namespace algprior::steerable
