#include "algprior/mesh/cube_map.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace algprior::mesh {
namespace {

void check_cube_size(int n) {
  if (n >= 1 && n <= 4096) return;
  throw InputError({"a cube map cannot have this size", fmt::format("n = {}", n),
                    "n from 1 to 4096", "64, 32, 16 or 8 are usual"});
}

/// A signed permutation as for each output axis its input axis and sign.
struct SignedPermutation {
  std::array<int, 3> axis, sign;

  std::array<int, 3> operator()(const std::array<int, 3>& x) const {
    return {sign[0] * x[static_cast<std::size_t>(axis[0])],
            sign[1] * x[static_cast<std::size_t>(axis[1])],
            sign[2] * x[static_cast<std::size_t>(axis[2])]};
  }
};

SignedPermutation signed_permutation(const Eigen::MatrixXd& matrix, const Group& group) {
  SignedPermutation result{};
  bool proper = matrix.rows() == 3 && matrix.cols() == 3;
  for (int row = 0; proper && row < 3; ++row) {
    int found = 0;
    for (int column = 0; column < 3; ++column) {
      const double entry = matrix(row, column);
      if (std::abs(entry) < 1e-9) continue;
      proper = proper && std::abs(std::abs(entry) - 1.0) < 1e-9;
      result.axis[static_cast<std::size_t>(row)] = column;
      result.sign[static_cast<std::size_t>(row)] = entry > 0.0 ? 1 : -1;
      ++found;
    }
    proper = proper && found == 1;
  }
  if (proper) return result;
  throw InputError({"the group does not act on the cells of a cube", group.name(),
                    "signed permutation matrices: Oh, cube, Td, T or Th", "choose one of these"});
}

}  // namespace

std::vector<std::array<int, 3>> cube_map_centres(int n) {
  check_cube_size(n);
  std::vector<std::array<int, 3>> centres;
  centres.reserve(6 * static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (std::size_t face = 0; face < 6; ++face) {
    for (int row = 0; row < n; ++row) {
      for (int column = 0; column < n; ++column) {
        std::array<int, 3> centre{};
        centre[face / 2] = face % 2 == 0 ? n : -n;
        centre[(face / 2 + 1) % 3] = 2 * column - (n - 1);
        centre[(face / 2 + 2) % 3] = 2 * row - (n - 1);
        centres.push_back(centre);
      }
    }
  }
  return centres;
}

std::uint32_t cube_map_cell(const std::array<int, 3>& centre, int n) {
  check_cube_size(n);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (centre[axis] != n && centre[axis] != -n) continue;
    const std::int64_t column = std::int64_t{centre[(axis + 1) % 3]} + n - 1,
                       row = std::int64_t{centre[(axis + 2) % 3]} + n - 1;
    if (column < 0 || row < 0 || column % 2 != 0 || row % 2 != 0 || column > 2 * n - 2 ||
        row > 2 * n - 2) {
      continue;
    }
    const std::int64_t face = 2 * static_cast<std::int64_t>(axis) + (centre[axis] > 0 ? 0 : 1);
    return static_cast<std::uint32_t>((face * n + row / 2) * n + column / 2);
  }
  throw InputError({"no cell of the cube map has this centre",
                    fmt::format("({}, {}, {}), n = {}", centre[0], centre[1], centre[2], n),
                    "one coordinate ±n, two of the parity of n-1 within ±(n-1)", ""});
}

std::vector<std::vector<std::uint32_t>> cube_map_permutations(const Group& group, int n) {
  const auto centres = cube_map_centres(n);
  const auto& matrices = orthogonal_matrices(group);
  if (!matrices) {
    throw InputError({"the group does not act on the cells of a cube", group.name(),
                      "signed permutation matrices: Oh, cube, Td, T or Th", "choose one of these"});
  }
  std::vector<std::vector<std::uint32_t>> tables;
  for (const Eigen::MatrixXd& matrix : *matrices) {
    const SignedPermutation inverse = signed_permutation(matrix.transpose(), group);
    std::vector<std::uint32_t> table;
    table.reserve(centres.size());
    for (const auto& centre : centres) table.push_back(cube_map_cell(inverse(centre), n));
    tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<std::array<std::uint32_t, 2>> cube_map_padding(int n) {
  check_cube_size(n);
  std::vector<std::array<std::uint32_t, 2>> table;
  // Over the side of a face, coordinate ±(n+1) becomes ±n and the face's own one s·n becomes
  // s(n−1): the nearest row of the face around the corner.
  const auto across = [n](std::array<int, 3> centre, std::size_t axis, std::size_t side) {
    centre[side] = centre[side] > 0 ? n : -n;
    centre[axis] = centre[axis] > 0 ? n - 1 : -(n - 1);
    for (std::size_t other = 0; other < 3; ++other) {
      if (other != side) centre[other] = std::clamp(centre[other], -(n - 1), n - 1);
    }
    return cube_map_cell(centre, n);
  };
  for (std::size_t face = 0; face < 6; ++face) {
    const std::size_t axis = face / 2, across_columns = (axis + 1) % 3,
                      across_rows = (axis + 2) % 3;
    for (int row = -1; row <= n; ++row) {
      for (int column = -1; column <= n; ++column) {
        std::array<int, 3> centre{};
        centre[axis] = face % 2 == 0 ? n : -n;
        centre[across_columns] = 2 * column - (n - 1);
        centre[across_rows] = 2 * row - (n - 1);
        const bool outside_columns = column < 0 || column == n, outside_rows = row < 0 || row == n;
        const std::uint32_t first = outside_columns ? across(centre, axis, across_columns)
                                    : outside_rows  ? across(centre, axis, across_rows)
                                                    : cube_map_cell(centre, n);
        const std::uint32_t second =
            outside_columns && outside_rows ? across(centre, axis, across_rows) : first;
        table.push_back({first, second});
      }
    }
  }
  return table;
}

std::vector<std::size_t> cube_map_orbit_sizes(const Group& group, int n) {
  const auto tables = cube_map_permutations(group, n);
  std::vector<bool> seen(tables.front().size(), false);
  std::vector<std::size_t> sizes;
  for (std::uint32_t cell = 0; cell < seen.size(); ++cell) {
    if (seen[cell]) continue;
    std::vector<std::uint32_t> orbit;
    for (const auto& table : tables) orbit.push_back(table[cell]);
    std::sort(orbit.begin(), orbit.end());
    orbit.erase(std::unique(orbit.begin(), orbit.end()), orbit.end());
    for (const std::uint32_t member : orbit) seen[member] = true;
    sizes.push_back(orbit.size());
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace algprior::mesh
