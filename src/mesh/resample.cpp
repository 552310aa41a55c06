#include "algprior/mesh/resample.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace algprior::mesh {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
// Angles of cells are known to a few roundings: a weight below this is one of them.
constexpr double kRounding = 1e-9;

/// Two neighbours on an axis and how much the second weighs.
struct Between {
  std::size_t first = 0, second = 0;
  double weight = 0.0;
};

Between between_columns(const std::vector<double>& azimuths, double theta) {
  theta = std::fmod(theta, kTurn);
  if (theta < 0.0) theta += kTurn;
  if (theta >= kTurn) theta = 0.0;  // a rounding below 0
  const auto after = static_cast<std::size_t>(
      std::upper_bound(azimuths.begin(), azimuths.end(), theta) - azimuths.begin());
  const std::size_t last = azimuths.size() - 1;
  const bool wraps = after == 0 || after > last;
  const double low = after == 0 ? azimuths[last] - kTurn : azimuths[after - 1];
  const double high = after > last ? azimuths[0] + kTurn : azimuths[after];
  return {wraps ? last : after - 1, wraps ? 0 : after, (theta - low) / (high - low)};
}

/// The rows above and below, and whether either lies on the other side of a pole.
struct RowsAround {
  Between rows;
  bool first_beyond = false, second_beyond = false;
};

RowsAround rows_around(const std::vector<double>& colatitudes, double phi) {
  const auto after = static_cast<std::size_t>(
      std::upper_bound(colatitudes.begin(), colatitudes.end(), phi) - colatitudes.begin());
  const std::size_t last = colatitudes.size() - 1;
  if (after == 0) {
    const double edge = colatitudes[0];
    return {{0, 0, (phi + edge) / (2.0 * edge)}, true, false};
  }
  if (after <= last) {
    const double low = colatitudes[after - 1];
    return {{after - 1, after, (phi - low) / (colatitudes[after] - low)}, false, false};
  }
  const double edge = std::numbers::pi - colatitudes[last];
  if (edge <= kRounding) return {{last, last, 0.0}, false, false};  // the row is the pole
  return {{last, last, (phi - colatitudes[last]) / (2.0 * edge)}, false, true};
}

SphereStencil stencil_at(const Parallels& grid, const Point& p) {
  const double radius = std::hypot(p.x(), p.y());
  const double phi = std::atan2(radius, p.z());
  // A pole has no azimuth; where a row is one, all of its columns are the same place.
  const double theta = radius < kRounding ? 0.0 : std::atan2(p.y(), p.x());
  const RowsAround around = rows_around(grid.colatitudes, phi);
  SphereStencil stencil;
  std::array<double, 4> weights{};
  for (std::size_t row = 0; row < 2; ++row) {
    const bool beyond = row == 0 ? around.first_beyond : around.second_beyond;
    const Between columns =
        between_columns(grid.azimuths, beyond ? theta + std::numbers::pi : theta);
    const double weight = row == 0 ? 1.0 - around.rows.weight : around.rows.weight;
    const std::size_t start =
        (row == 0 ? around.rows.first : around.rows.second) * grid.azimuths.size();
    stencil.cells[2 * row] = static_cast<std::uint32_t>(start + columns.first);
    stencil.cells[2 * row + 1] = static_cast<std::uint32_t>(start + columns.second);
    weights[2 * row] = weight * (1.0 - columns.weight);
    weights[2 * row + 1] = weight * columns.weight;
  }
  double sum = 0.0;
  for (double& weight : weights) sum += weight = weight < kRounding ? 0.0 : weight;
  for (std::size_t i = 0; i < 4; ++i) stencil.weights[i] = static_cast<float>(weights[i] / sum);
  return stencil;
}

void check_places(const char* name, const std::vector<double>& places, double whole) {
  const bool fits = !places.empty() && places.front() >= 0.0 && places.back() <= whole + kRounding;
  const auto not_ascending = [](double a, double b) { return !(a < b); };
  if (fits && std::adjacent_find(places.begin(), places.end(), not_ascending) == places.end()) {
    return;
  }
  throw InputError({"a grid on the sphere has no such places", name,
                    fmt::format("ascending angles from 0 to {}", whole),
                    "make them with parallels_of"});
}

void check_parallels(const Parallels& grid) {
  check_places("colatitudes", grid.colatitudes, std::numbers::pi);
  check_places("azimuths", grid.azimuths, kTurn);
}

double widest_step(const std::vector<double>& places) {
  double widest = 0.0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    widest = std::max(widest, places[i] - places[i - 1]);
  }
  return widest;
}

}  // namespace

Parallels parallels_of(const SphereGrid& grid, int halvings) {
  check(grid);
  const int block = halvings >= 0 && halvings < 12 ? 1 << halvings : 0;
  if (grid.kind == GridKind::cube_map || block == 0 || grid.height % block != 0 ||
      grid.width % block != 0) {
    throw InputError({"a grid has no rows along parallels after pooling",
                      fmt::format("{} halved {} times", grid.name(), halvings),
                      "a grid HxW or HxW-half whose sides can be halved so often",
                      "take the permutations of cells on a cube map"});
  }
  const bool half = grid.kind == GridKind::half_offset;
  const auto places = [&](int count, double whole) {
    std::vector<double> result;
    for (int i = 0; i < count / block; ++i) {
      const double middle = block * i + 0.5 * (block - 1);
      result.push_back(whole * (half ? (middle + 0.5) / count : middle / (count - 1)));
    }
    return result;
  };
  return {places(grid.height, std::numbers::pi), places(grid.width, kTurn)};
}

std::vector<std::vector<SphereStencil>> resampling_stencils(const Group& group,
                                                            const Parallels& grid) {
  check_parallels(grid);
  const auto& matrices = orthogonal_matrices(group);
  if (!matrices || matrices->front().rows() != 3) {
    throw InputError({"the group does not act on the sphere", group.name(),
                      "3x3 orthogonal matrices: Oh, cube, Td, T or Th", "choose one of these"});
  }
  std::vector<std::vector<SphereStencil>> tables;
  for (const Eigen::MatrixXd& matrix : *matrices) {
    std::vector<SphereStencil> table;
    table.reserve(grid.cells());
    for (const double phi : grid.colatitudes) {
      for (const double theta : grid.azimuths) {
        const Point p(std::sin(phi) * std::cos(theta), std::sin(phi) * std::sin(theta),
                      std::cos(phi));
        table.push_back(stencil_at(grid, matrix.transpose() * p));
      }
    }
    tables.push_back(std::move(table));
  }
  // Also on a pole the identity leaves every cell where it is.
  for (std::uint32_t cell = 0; cell < grid.cells(); ++cell) {
    tables[Group::identity()][cell] = {{cell, cell, cell, cell}, {1.0F, 0.0F, 0.0F, 0.0F}};
  }
  return tables;
}

double resampling_error(const Parallels& grid) {
  check_parallels(grid);
  // Over a pole and over the first meridian the steps are those between the outermost places.
  const double poles =
      2.0 * std::max(grid.colatitudes.front(), std::numbers::pi - grid.colatitudes.back());
  const double wrap = grid.azimuths.front() + kTurn - grid.azimuths.back();
  const double rows = std::max(poles, widest_step(grid.colatitudes));
  const double columns = std::max(wrap, widest_step(grid.azimuths));
  return (rows * rows + columns * columns) / 8.0;
}

std::vector<std::array<std::uint32_t, 2>> half_offset_padding(int height, int width) {
  const SphereGrid grid = half_offset_grid(height, width);
  if (width % 2 != 0) {
    throw InputError({"a grid cannot be padded over its poles", grid.name(),
                      "an even number of columns", "take another width"});
  }
  std::vector<std::array<std::uint32_t, 2>> table;
  for (int row = -1; row <= height; ++row) {
    const bool beyond = row < 0 || row == height;
    const int inside = std::clamp(row, 0, height - 1);
    for (int column = -1; column <= width; ++column) {
      const int turned = (column + width + (beyond ? width / 2 : 0)) % width;
      const auto cell = static_cast<std::uint32_t>(inside * width + turned);
      table.push_back({cell, cell});
    }
  }
  return table;
}

}  // namespace algprior::mesh
