#pragma once

#include "algprior/group/group.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace algprior::mesh {

/// The cube map with n×n cells on each of 6 faces. Cell (face, row, column) has number
/// (face·n + row)·n + column; faces are +x, −x, +y, −y, +z, −z. The centre of a cell has integer
/// coordinates: ±n along the axis of its face, odd numbers between −(n−1) and n−1 along the two
/// others (columns along the next axis of x→y→z→x, rows along the one after it). A signed
/// permutation matrix maps centres to centres, so O_h acts on cells by permutations, exactly.

/// The integer centres in the order of the cells. Throws InputError unless 1 ≤ n ≤ 4096.
std::vector<std::array<int, 3>> cube_map_centres(int n);

/// The number of the cell with this centre. Throws InputError when there is none.
std::uint32_t cube_map_cell(const std::array<int, 3>& centre, int n);

/// For each element g of a group of signed permutation matrices (Oh, cube, Td, T, Th; see
/// orthogonal_matrices) the table p_g with (g·f)[c] = f[p_g[c]], p_g[c] being the cell of g⁻¹·c:
/// (g·f)(x) = f(g⁻¹x). A left action: p_{gh}[c] = p_h[p_g[c]]. Throws InputError for a group
/// without such matrices.
std::vector<std::vector<std::uint32_t>> cube_map_permutations(const Group& group, int n);

/// Padding by one cell across the seams of the cube, for 3×3 convolutions a face at a time: for
/// each of the 6·(n+2)² cells of the padded faces the two cells whose mean it takes. Inside and on
/// the sides both are the same cell; at the corners of a face, where three faces meet, they are the
/// two candidates. The table commutes with O_h.
std::vector<std::array<std::uint32_t, 2>> cube_map_padding(int n);

/// The sizes of the orbits of a group on the cells, ascending: for Oh and n even, n/2 orbits of 24
/// and n(n−2)/8 of 48.
std::vector<std::size_t> cube_map_orbit_sizes(const Group& group, int n);

}  // namespace algprior::mesh
