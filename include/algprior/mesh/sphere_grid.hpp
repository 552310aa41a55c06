#pragma once

#include "algprior/mesh/mesh.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::mesh {

/// Where a function on the sphere is sampled.
///  - end_points: φ_i = πi/(H−1), θ_j = 2πj/(W−1); poles are whole rows, the first and last columns
///    are one meridian (the grid of the published experiments, 96×192);
///  - half_offset: φ_i = π(i+½)/H, θ_j = 2π(j+½)/W; 2×2 pooling maps it to itself, and for W
///    divisible by 4 the 16 elements of D_4h act on it exactly;
///  - cube_map: 6 faces of n×n cells (see cube_map.hpp), all of O_h acts exactly; the coordinates
///    within a face are warped, a ↦ n·tan(πa/4n), so that cells cover more even areas.
/// φ is the colatitude, θ the azimuth: p = (sin φ cos θ, sin φ sin θ, cos φ).
enum class GridKind { end_points, half_offset, cube_map };

struct SphereGrid {
  GridKind kind = GridKind::half_offset;
  int height = 48;  ///< H; n for a cube map
  int width = 96;   ///< W; n for a cube map

  std::size_t cells() const;
  /// The shape of one channel: {H, W} or {6, n, n}.
  std::vector<std::int64_t> shape() const;
  /// "96x192", "48x96-half", "cube-32".
  std::string name() const;
  friend bool operator==(const SphereGrid&, const SphereGrid&) = default;
};

/// Throws InputError for sizes below 2 (cube map: 1, and equal) or above 4096.
void check(const SphereGrid& grid);

SphereGrid end_point_grid(int height, int width);
SphereGrid half_offset_grid(int height, int width);
SphereGrid cube_map_grid(int n);

/// The grid of a name() as above. Throws InputError.
SphereGrid grid_named(std::string_view name);

/// The unit vectors of all cells, in the order of the raster. Throws InputError for sizes below 2
/// (cube map: 1) or above 4096.
std::vector<Point> grid_directions(const SphereGrid& grid);

}  // namespace algprior::mesh
