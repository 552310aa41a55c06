#pragma once

#include "algprior/group/group.hpp"
#include "algprior/mesh/sphere_grid.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace algprior::mesh {

/// Where the rows and columns of a grid of parallels and meridians lie.
struct Parallels {
  std::vector<double> colatitudes;  ///< φ of each row, ascending in [0, π]
  std::vector<double> azimuths;     ///< θ of each column, ascending in [0, 2π]

  std::size_t cells() const { return colatitudes.size() * azimuths.size(); }
};

/// The rows and columns of a grid after 2×2 average pooling, `halvings` times: a pooled cell lies
/// in the middle of those that it stands for. Throws InputError for a cube map, and when a side
/// cannot be halved so often.
Parallels parallels_of(const SphereGrid& grid, int halvings = 0);

/// A value between cells: Σ weights[i]·f[cells[i]], weights ≥ 0 of sum 1.
struct SphereStencil {
  std::array<std::uint32_t, 4> cells{};
  std::array<float, 4> weights{};
};

/// For each element g of a group of 3×3 orthogonal matrices and each cell p the stencil of f(g⁻¹p),
/// bilinear in (φ, θ). Columns wrap around; beyond the first and the last row lies the same row on
/// the other side of the pole. An element that maps cells to cells has weights 1, exactly. Throws
/// InputError for a group without such matrices.
std::vector<std::vector<SphereStencil>> resampling_stencils(const Group& group,
                                                            const Parallels& grid);

/// The largest error of one resampling on functions p ↦ v·p with |v| ≤ 1: (h_φ² + h_θ²)/8 for the
/// largest steps h of rows and columns.
double resampling_error(const Parallels& grid);

/// Padding by one cell around a half-offset grid, as cube_map_padding has it for cube maps: columns
/// wrap around, beyond the first and the last row lies the same row half a turn on. For each of the
/// (H+2)·(W+2) cells the same cell twice. Throws InputError unless W is even.
std::vector<std::array<std::uint32_t, 2>> half_offset_padding(int height, int width);

}  // namespace algprior::mesh
