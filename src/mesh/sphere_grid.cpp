#include "algprior/mesh/sphere_grid.hpp"

#include "algprior/base/error.hpp"
#include "algprior/mesh/cube_map.hpp"

#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

namespace algprior::mesh {
namespace {

constexpr int kLargestGrid = 4096;

std::optional<int> size_of(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

SphereGrid checked(const SphereGrid& grid) {
  check(grid);
  return grid;
}

}  // namespace

void check(const SphereGrid& grid) {
  const int smallest = grid.kind == GridKind::cube_map ? 1 : 2;
  if (grid.height < smallest || grid.width < smallest || grid.height > kLargestGrid ||
      grid.width > kLargestGrid || (grid.kind == GridKind::cube_map && grid.height != grid.width)) {
    throw InputError({"a grid on the sphere cannot have this size",
                      fmt::format("{}×{}", grid.height, grid.width),
                      fmt::format("{} to {} each way", smallest, kLargestGrid),
                      "96x192, 48x96-half or cube-32 are usual"});
  }
}

std::size_t SphereGrid::cells() const {
  const auto product = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  return kind == GridKind::cube_map ? 6 * product : product;
}

std::vector<std::int64_t> SphereGrid::shape() const {
  if (kind == GridKind::cube_map) return {6, height, width};
  return {height, width};
}

std::string SphereGrid::name() const {
  if (kind == GridKind::cube_map) return fmt::format("cube-{}", height);
  return fmt::format("{}x{}{}", height, width, kind == GridKind::half_offset ? "-half" : "");
}

SphereGrid end_point_grid(int height, int width) {
  return checked({GridKind::end_points, height, width});
}
SphereGrid half_offset_grid(int height, int width) {
  return checked({GridKind::half_offset, height, width});
}
SphereGrid cube_map_grid(int n) {
  return checked({GridKind::cube_map, n, n});
}

SphereGrid grid_named(std::string_view name) {
  std::string_view rest = name;
  if (rest.substr(0, 5) == "cube-") {
    if (const auto n = size_of(rest.substr(5))) return cube_map_grid(*n);
  } else {
    const bool half = rest.size() > 5 && rest.substr(rest.size() - 5) == "-half";
    if (half) rest.remove_suffix(5);
    const std::size_t cross = rest.find('x');
    if (cross != std::string_view::npos) {
      const auto height = size_of(rest.substr(0, cross)), width = size_of(rest.substr(cross + 1));
      if (height && width) {
        return half ? half_offset_grid(*height, *width) : end_point_grid(*height, *width);
      }
    }
  }
  throw InputError({"no grid on the sphere has this name", std::string(name),
                    "HxW, HxW-half or cube-N", "write for example 96x192 or cube-32"});
}

std::vector<Point> grid_directions(const SphereGrid& grid) {
  checked(grid);
  constexpr double kPi = std::numbers::pi;
  std::vector<Point> directions;
  directions.reserve(grid.cells());
  if (grid.kind == GridKind::cube_map) {
    const int n = grid.height;
    for (const auto& centre : cube_map_centres(n)) {
      Point p;
      for (std::size_t i = 0; i < 3; ++i) {
        p[static_cast<Eigen::Index>(i)] = std::tan(kPi / 4.0 * centre[i] / n);
      }
      directions.push_back(p.normalized());
    }
    return directions;
  }
  const bool half = grid.kind == GridKind::half_offset;
  for (int i = 0; i < grid.height; ++i) {
    const double phi = half ? kPi * (i + 0.5) / grid.height : kPi * i / (grid.height - 1);
    for (int j = 0; j < grid.width; ++j) {
      const double theta =
          2.0 * kPi * (half ? (j + 0.5) / grid.width : static_cast<double>(j) / (grid.width - 1));
      directions.emplace_back(std::sin(phi) * std::cos(theta), std::sin(phi) * std::sin(theta),
                              std::cos(phi));
    }
  }
  return directions;
}

}  // namespace algprior::mesh
