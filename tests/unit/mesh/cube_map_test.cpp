// O_h on the cells of a cube map: a left action by permutations, seams included.
#include "algprior/mesh/cube_map.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/mesh/sphere_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

TEST(CubeMap, CellsAndCentresAreOneToOne) {
  for (const int n : {1, 2, 3, 8}) {
    const auto centres = cube_map_centres(n);
    ASSERT_EQ(centres.size(), 6U * n * n);
    for (std::uint32_t cell = 0; cell < centres.size(); ++cell) {
      EXPECT_EQ(cube_map_cell(centres[cell], n), cell);
    }
  }
  EXPECT_THROW(cube_map_cell({4, 4, 1}, 4), InputError);
  EXPECT_THROW(cube_map_cell({4, 2, 1}, 4), InputError);
  EXPECT_THROW(cube_map_centres(0), InputError);
}

TEST(CubeMap, EveryPairOfElementsComposes) {
  const Group group = make_group("Oh");
  ASSERT_EQ(group.order(), 48U);
  for (const int n : {3, 4}) {
    const auto tables = cube_map_permutations(group, n);
    for (std::uint32_t c = 0; c < tables[0].size(); ++c) EXPECT_EQ(tables[0][c], c);
    for (Element g = 0; g < 48; ++g) {
      for (Element h = 0; h < 48; ++h) {
        const auto& product = tables[group.multiply(g, h)];
        for (std::uint32_t c = 0; c < product.size(); ++c) {
          ASSERT_EQ(product[c], tables[h][tables[g][c]]);
        }
      }
    }
  }
}

TEST(CubeMap, LinearFunctionsMoveAsVectors) {
  const Group group = make_group("Oh");
  const auto& matrices = *orthogonal_matrices(group);
  const auto directions = grid_directions(cube_map_grid(6));
  const auto tables = cube_map_permutations(group, 6);
  const Point v(0.3, -1.1, 0.7);
  for (Element g = 0; g < group.order(); ++g) {
    const Point moved = matrices[g] * v;
    for (std::size_t c = 0; c < directions.size(); ++c) {
      ASSERT_NEAR(v.dot(directions[tables[g][c]]), moved.dot(directions[c]), 1e-14);
    }
  }
}

TEST(CubeMap, OrbitsAreOf24And48) {
  const Group group = make_group("Oh");
  for (const int n : {4, 6, 8, 12, 16}) {
    const auto sizes = cube_map_orbit_sizes(group, n);
    EXPECT_EQ(std::count(sizes.begin(), sizes.end(), 24U), n / 2);
    EXPECT_EQ(std::count(sizes.begin(), sizes.end(), 48U), n * (n - 2) / 8);
    EXPECT_EQ(sizes.size(), static_cast<std::size_t>(n / 2 + n * (n - 2) / 8));
  }
  // The rotations alone act freely on an even cube map.
  const auto free = cube_map_orbit_sizes(make_group("cube"), 8);
  EXPECT_EQ(free, std::vector<std::size_t>(16, 24));
  EXPECT_THROW(cube_map_permutations(make_group("I"), 4), InputError);
  EXPECT_THROW(cube_map_permutations(make_group("C4"), 4), InputError);
}

// A 3×3 convolution under the padding with a kernel that D_4 leaves as it is.
std::vector<double> convolved(const std::vector<double>& x, int n, std::array<double, 3> kernel) {
  const auto padding = cube_map_padding(n);
  const int side = n + 2;
  std::vector<double> out;
  for (int face = 0; face < 6; ++face) {
    for (int row = 0; row < n; ++row) {
      for (int column = 0; column < n; ++column) {
        double sum = 0.0;
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            const auto& pair =
                padding[static_cast<std::size_t>((face * side + row + i) * side + column + j)];
            sum += kernel[static_cast<std::size_t>(std::abs(i - 1) + std::abs(j - 1))] * 0.5 *
                   (x[pair[0]] + x[pair[1]]);
          }
        }
        out.push_back(sum / (1.0 + std::exp(-sum)));
      }
    }
  }
  return out;
}

TEST(CubeMap, SymmetricConvolutionsCommuteWithTheGroupAcrossSeams) {
  const Group group = make_group("Oh");
  RandomStream random(RandomKey(1, "cube map"));
  for (const int n : {2, 5, 8}) {
    const auto tables = cube_map_permutations(group, n);
    std::vector<double> x(tables[0].size());
    for (double& value : x) value = random.normal();
    const auto moved = [&](const std::vector<double>& f, Element g) {
      std::vector<double> out;
      for (const std::uint32_t source : tables[g]) out.push_back(f[source]);
      return out;
    };
    const auto network = [&](const std::vector<double>& f) {
      return convolved(convolved(f, n, {0.9, -0.4, 0.25}), n, {-0.5, 0.3, 0.7});
    };
    const auto plain = network(x);
    for (Element g = 0; g < group.order(); ++g) {
      const auto a = network(moved(x, g)), b = moved(plain, g);
      for (std::size_t c = 0; c < a.size(); ++c) ASSERT_NEAR(a[c], b[c], 1e-13) << n << " " << g;
    }
  }
}

TEST(CubeMap, PaddingNamesTheNearestCells) {
  const int n = 16;
  const auto padding = cube_map_padding(n);
  const auto centres = cube_map_centres(n);
  std::size_t corners = 0;
  for (std::size_t i = 0; i < padding.size(); ++i)
    corners += padding[i][0] != padding[i][1] ? 1 : 0;
  EXPECT_EQ(corners, 24U);
  // Along a row of a padded face neighbouring cells are never farther apart than two cells.
  for (std::size_t i = 0; i + 1 < padding.size(); ++i) {
    if ((i + 1) % (n + 2) == 0) continue;
    double distance = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      distance = std::max<double>(
          distance, std::abs(centres[padding[i][0]][k] - centres[padding[i + 1][0]][k]));
    }
    EXPECT_LE(distance, 2.0) << i;
  }
}

TEST(SphereGrid, NamesReadBackAndDirectionsAreUnitVectors) {
  for (const SphereGrid& grid :
       {end_point_grid(96, 192), half_offset_grid(12, 24), cube_map_grid(8)}) {
    EXPECT_EQ(grid_named(grid.name()), grid);
    const auto directions = grid_directions(grid);
    EXPECT_EQ(directions.size(), grid.cells());
    for (const Point& p : directions) ASSERT_NEAR(p.norm(), 1.0, 1e-14);
  }
  EXPECT_NEAR((grid_directions(end_point_grid(5, 9))[0] - Point(0, 0, 1)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((grid_directions(end_point_grid(5, 9))[2 * 9 + 2] - Point(0, 1, 0)).norm(), 0.0,
              1e-15);
  for (const char* name :
       {"", "x", "96", "96x", "cube-", "cube-0", "1x8", "9999x4", "cube-8x", "-4x8"}) {
    EXPECT_THROW(grid_named(name), InputError) << name;
  }
}

}  // namespace
}  // namespace algprior::mesh
