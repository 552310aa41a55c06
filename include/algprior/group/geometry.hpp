#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/permutation.hpp"

#include <optional>
#include <vector>

#include <Eigen/Core>

namespace algprior {

// What these functions return lives as long as the group, so a temporary group is refused.

/// The action by which a group is usually met, as a permutation of points for each element (a left
/// action, p_{gh} = p_g p_h), or nothing:
///  - C_n on n points, r: v ↦ v+1;
///  - D_n, n ≥ 3, on the vertices of the n-gon, r: v ↦ v+1, s: v ↦ 1−v (for n = 4 the corners of an
///  image,
///    TR = 0, TL = 1, BL = 2, BR = 3); D1 on 2 points (left, right); D2 on the same 4 corners;
///  - S_n, A_n and every group given by permutations on their points;
///  - cube and Oh, T, Td, Th on the cube's 8 vertices, vertex (±x,±y,±z) = 4[z>0] + 2[y>0] + [x>0];
///    I and Ih on the icosahedron's 12 vertices.
/// A direct product has none of its own: see factors(). Computed on first use, |G|·degree entries;
/// throws LimitError when that is more than 2^28.
const std::optional<std::vector<Permutation>>& defining_permutations(const Group& group);
const std::optional<std::vector<Permutation>>& defining_permutations(const Group&&) = delete;

/// The number of points of that action; 0 when there is none.
std::size_t defining_degree(const Group& group);

/// One permutation a generator; nothing when there is no defining action. Never large.
const std::optional<std::vector<Permutation>>& defining_generators(const Group& group);
const std::optional<std::vector<Permutation>>& defining_generators(const Group&&) = delete;

/// For planar and spatial groups the orthogonal matrix of each element, ρ(gh) = ρ(g)ρ(h), or
/// nothing.
///
/// In the plane a point is (u,v) with u to the right (along columns) and v **downwards** (along
/// rows), so a turn by θ counter-clockwise as displayed is [[cos θ, sin θ], [−sin θ, cos θ]]: C_n
/// and D_n have r = that turn by 2π/n and s = diag(−1, 1), the horizontal flip. An image is acted
/// on by (g·f)(p) = f(ρ(g)⁻¹p). In space a point is (x,y,z), x along the last axis of a volume, y
/// along the middle one, z along the first. Entries that are 0 or ±1 are exact. Groups: C_n, D_n;
/// cube, Oh, T, Td, Th, I, Ih; groups made from orthogonal matrices. Computed on first use.
const std::optional<std::vector<Eigen::MatrixXd>>& orthogonal_matrices(const Group& group);
const std::optional<std::vector<Eigen::MatrixXd>>& orthogonal_matrices(const Group&&) = delete;

}  // namespace algprior
