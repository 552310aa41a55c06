#include "algprior/group/geometry.hpp"

#include "algprior/group/make_group.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace algprior {
namespace {

Eigen::Vector2d moved(const Group& group, Element g, double u, double v) {
  return (*orthogonal_matrices(group))[g] * Eigen::Vector2d(u, v);
}

// Corners in (u,v), v downwards: TR, TL, BL, BR.
const std::vector<Eigen::Vector2d> kCorners{{1, -1}, {-1, -1}, {-1, 1}, {1, 1}};

TEST(Planar, TurnsAreCounterClockwiseAsDisplayed) {
  const Group c4 = make_group("C4");
  EXPECT_EQ(moved(c4, 1, 1, 0), Eigen::Vector2d(0, -1));  // right goes to the top
  EXPECT_EQ(moved(c4, 1, 0, -1), Eigen::Vector2d(-1, 0));
  const Group c8 = make_group("C8");
  EXPECT_NEAR(moved(c8, 1, 1, 0).y(), -std::sqrt(0.5), 1e-15);
}

TEST(Planar, TheFlipIsHorizontal) {
  for (const char* name : {"D1", "D2", "D3", "D4", "D5"}) {
    const Group group = make_group(name);
    const Element s = group.generators().back();
    EXPECT_EQ(moved(group, s, 3, 7), Eigen::Vector2d(-3, 7)) << name;
  }
}

TEST(Planar, CornersMoveAsTheDefiningActionSays) {
  for (const char* name : {"C4", "D2", "D4"}) {
    const Group group = make_group(name);
    const auto& action = *defining_permutations(group);
    for (Element g = 0; g < group.order(); ++g) {
      for (std::size_t v = 0; v < 4; ++v) {
        const Eigen::Vector2d to = moved(group, g, kCorners[v].x(), kCorners[v].y());
        EXPECT_EQ(to, kCorners[action[g][v]]) << name << " " << g << " " << v;
      }
    }
  }
}

TEST(Planar, VerticesOfD4AreThoseOfTheExperiments) {
  const Group d1 = make_group("D1"), d4 = make_group("D4");
  const auto& generators = *defining_generators(d4);
  EXPECT_EQ(generators[0], (Permutation{1, 2, 3, 0}));
  EXPECT_EQ(generators[1], (Permutation{1, 0, 3, 2}));
  EXPECT_EQ(*defining_generators(d1), (std::vector<Permutation>{{1, 0}}));
}

TEST(Planar, QuarterTurnsAreExact) {
  const Group d4 = make_group("D4");
  for (const auto& matrix : *orthogonal_matrices(d4)) {
    for (const double entry : matrix.reshaped()) {
      EXPECT_TRUE(entry == 0 || entry == 1 || entry == -1);
      EXPECT_FALSE(entry == 0 && std::signbit(entry));
    }
  }
}

// The order of the experiments: 1–3 about x by 90, 180, 270 degrees, and single rows of the table.
TEST(Cube, RotationsStandInTheirOrder) {
  const Group cube = make_group("cube");
  const auto& matrices = *orthogonal_matrices(cube);
  const auto image = [&](Element g) -> Eigen::Vector3d {
    return matrices[g] * Eigen::Vector3d(1, 2, 3);
  };
  EXPECT_EQ(image(1), Eigen::Vector3d(1, -3, 2));
  EXPECT_EQ(image(6), Eigen::Vector3d(-3, 2, 1));
  EXPECT_EQ(image(7), Eigen::Vector3d(-2, 1, 3));
  EXPECT_EQ(image(14), Eigen::Vector3d(-2, -3, 1));
  EXPECT_EQ(image(19), Eigen::Vector3d(-3, -2, -1));
  EXPECT_EQ(image(23), Eigen::Vector3d(-2, -1, -3));
  const std::vector<std::size_t> orders{1, 4, 2, 4, 4, 2, 4, 4, 2, 4, 3, 3,
                                        3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2};
  for (Element g = 0; g < 24; ++g) {
    EXPECT_EQ(cube.element_order(g), orders[g]) << g;
    EXPECT_EQ(matrices[g].determinant(), 1.0);
    for (Element h = 0; h < 24; ++h) {
      EXPECT_EQ(matrices[cube.multiply(g, h)], matrices[g] * matrices[h]);
    }
  }
}

TEST(Cube, VerticesMoveWithTheMatrices) {
  for (const char* name : {"cube", "Oh", "T", "Td", "Th"}) {
    const Group group = make_group(name);
    const auto corner = [](std::size_t v) {
      return Eigen::Vector3d(v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1);
    };
    for (Element g = 0; g < group.order(); ++g) {
      for (std::size_t v = 0; v < 8; ++v) {
        const Eigen::Vector3d to = (*orthogonal_matrices(group))[g] * corner(v);
        EXPECT_EQ(to, corner((*defining_permutations(group))[g][v])) << name;
      }
    }
  }
}

TEST(Spatial, ReflectionsHaveDeterminantMinusOne) {
  for (const auto& [name, rotations] :
       std::vector<std::pair<const char*, int>>{{"Oh", 24}, {"Td", 12}, {"I", 60}, {"Ih", 60}}) {
    int count = 0;
    const Group group = make_group(name);
    for (const auto& matrix : *orthogonal_matrices(group)) {
      const double determinant = matrix.determinant();
      EXPECT_NEAR(std::abs(determinant), 1.0, 1e-12);
      count += determinant > 0;
    }
    EXPECT_EQ(count, rotations) << name;
  }
}

TEST(Geometry, GroupsWithoutOneSaySo) {
  const Group q8 = make_group("Q8"), s4 = make_group("S4"), product = make_group("D4xD4");
  EXPECT_FALSE(defining_permutations(q8).has_value());
  EXPECT_EQ(defining_degree(q8), 0u);
  EXPECT_FALSE(orthogonal_matrices(s4).has_value());
  EXPECT_FALSE(defining_permutations(product).has_value());
}

}  // namespace
}  // namespace algprior
