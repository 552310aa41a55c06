#pragma once

#include "algprior/action/action.hpp"
#include "algprior/mesh/sphere_grid.hpp"
#include "algprior/rep/representation.hpp"

#include <cstdint>

namespace algprior {

/// A group of 3×3 orthogonal matrices (Oh, cube, T, Td, Th) on functions on the sphere, (g·f)(p) =
/// f(g⁻¹p), sampled on a grid: tensors N×C×6×n×n on a cube map, N×C×H×W elsewhere. `halvings`: the
/// grid that is left after so many 2×2 poolings, for the latent grid of a network.
///
/// On a cube map a permutation of cells, exact. Elsewhere values between cells are interpolated
/// bilinearly; the tolerance is three such errors on functions p ↦ v·p with |v| ≤ 1, since T_g T_h
/// makes two and T_{gh} one: 3(h_φ² + h_θ²)/8, which is 0.0032 on 48×96 and 0.051 on 12×24. Throws
/// InputError for another group, and for sides that cannot be halved so often.
Action sphere_action(const Group& group, const mesh::SphereGrid& grid, int halvings = 0);

/// ρ_Z on the cells of each channel separately, numbered in order: tensors N×C×… with `cells`
/// numbers a channel carry as many copies of ρ as fit, in consecutive blocks, then trivial cells.
/// It knows nothing of where a cell lies. 12×24 cells are six copies of the regular representation
/// of Oh, a cube map of 6×8×8 eight. Exact for permutation representations. Throws InputError when
/// ρ is wider than a channel.
Action flat_action(const Representation& representation, std::int64_t cells);

}  // namespace algprior
