// O_h on grids of parallels: which elements are exact, and how large the others' errors are.
#include "algprior/mesh/resample.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

bool maps_cells_to_cells(const std::vector<SphereStencil>& table) {
  return std::all_of(table.begin(), table.end(), [](const SphereStencil& stencil) {
    return *std::max_element(stencil.weights.begin(), stencil.weights.end()) == 1.0F;
  });
}

TEST(Resample, ExactElements) {
  const Group group = make_group("Oh");
  for (const auto& [name, exact] : {std::pair{"12x24-half", 16}, std::pair{"12x24", 4}}) {
    const auto tables = resampling_stencils(group, parallels_of(grid_named(name)));
    EXPECT_EQ(std::count_if(tables.begin(), tables.end(), maps_cells_to_cells), exact) << name;
  }
}

TEST(Resample, PoolingAHalfOffsetGridGivesOne) {
  const auto pooled = parallels_of(grid_named("48x96-half"), 2);
  const auto small = parallels_of(grid_named("12x24-half"));
  ASSERT_EQ(pooled.colatitudes.size(), 12U);
  ASSERT_EQ(pooled.azimuths.size(), 24U);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(pooled.colatitudes[i], small.colatitudes[i], 1e-14);
  }
  const auto published = parallels_of(grid_named("96x192"), 3);
  EXPECT_NEAR(published.colatitudes[2], M_PI * (8 * 2 + 3.5) / 95, 1e-14);
  EXPECT_NEAR(published.azimuths[5], 2 * M_PI * (8 * 5 + 3.5) / 191, 1e-14);
  EXPECT_THROW(parallels_of(grid_named("12x24"), 3), InputError);
  EXPECT_THROW(parallels_of(grid_named("cube-8")), InputError);
}

// (g·f)(p) = f(g⁻¹p) for a smooth f, against its values.
double relative_error(const SphereGrid& grid, int halvings) {
  const Group group = make_group("Oh");
  const Parallels places = parallels_of(grid, halvings);
  const auto f = [](const Point& p) {
    return std::exp(0.8 * p.x() - 0.5 * p.y()) + p.x() * p.y() * p.z() + 0.6 * p.z();
  };
  std::vector<Point> points;
  for (const double phi : places.colatitudes) {
    for (const double theta : places.azimuths) {
      points.emplace_back(std::sin(phi) * std::cos(theta), std::sin(phi) * std::sin(theta),
                          std::cos(phi));
    }
  }
  const auto tables = resampling_stencils(group, places);
  const auto matrices = orthogonal_matrices(group);
  double worst = 0.0;
  for (Element g = 0; g < group.order(); ++g) {
    double error = 0.0, size = 0.0;
    for (std::size_t cell = 0; cell < points.size(); ++cell) {
      const double truth = f(matrices->at(g).transpose() * points[cell]);
      double value = 0.0;
      for (std::size_t i = 0; i < 4; ++i) {
        value += tables[g][cell].weights[i] * f(points[tables[g][cell].cells[i]]);
      }
      error += (value - truth) * (value - truth);
      size += truth * truth;
    }
    worst = std::max(worst, std::sqrt(error / size));
  }
  return worst;
}

TEST(Resample, ErrorsFallWithTheSquareOfTheStep) {
  EXPECT_LT(relative_error(grid_named("24x48-half"), 0), 0.02);
  EXPECT_LT(relative_error(grid_named("24x48"), 0), 0.026);
  const double coarse = relative_error(grid_named("48x96-half"), 2);
  EXPECT_LT(coarse, 0.071);
  EXPECT_LT(relative_error(grid_named("96x192"), 3), 0.108);
  EXPECT_LT(relative_error(grid_named("48x96-half"), 0), coarse / 10);
}

TEST(Resample, RefusesGroupsOfThePlane) {
  EXPECT_THROW(resampling_stencils(make_group("S5"), parallels_of(grid_named("12x24"))),
               InputError);
  EXPECT_THROW(resampling_stencils(make_group("D4"), parallels_of(grid_named("12x24"))),
               InputError);
}

}  // namespace
}  // namespace algprior::mesh
