// The way to the sphere: conformal in the limit, without folds, centred.
#include "algprior/mesh/sphere_map.hpp"

#include "algprior/mesh/mobius.hpp"
#include "algprior/mesh/procedural.hpp"
#include "algprior/mesh/topology.hpp"
#include "shapes_for_tests.hpp"

#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

struct Quality {
  double ratio, deviation;
};

Quality quality_of_flow(const Mesh& mesh) {
  const SphereMap map = flow_to_sphere(mesh, {.iterations = 20});
  EXPECT_EQ(map.first_flips, 0U);
  return {quasi_conformal_ratio(mesh, map.vertices), map.radius_deviation};
}

TEST(Flow, TheEllipsoidHasTheKnownRatiosAndDeviations) {
  // Area-weighted σ_max/σ_min and radius deviation of an independent implementation after 20 steps;
  // the limit of the last deviation is 0.0165.
  const struct {
    int level;
    double ratio, deviation;
  } known[] = {{2, 1.55, 0.199}, {3, 1.16, 0.060}, {4, 1.07, 0.015}};
  for (const auto& row : known) {
    const Quality quality = quality_of_flow(long_ellipsoid(row.level));
    EXPECT_NEAR(quality.ratio, row.ratio, 0.1 * row.ratio) << "level " << row.level;
    EXPECT_NEAR(quality.deviation, row.deviation, 0.1 * row.deviation) << "level " << row.level;
  }
}

TEST(Flow, ConvergesFirstOrderInTheRatioAndSecondInTheRadius) {
  const Quality coarse = quality_of_flow(five_limbs(2)), middle = quality_of_flow(five_limbs(3)),
                fine = quality_of_flow(five_limbs(4));
  EXPECT_LT(fine.ratio, 1.1);
  EXPECT_LT(fine.ratio - 1.0, 0.65 * (middle.ratio - 1.0));
  EXPECT_LT(middle.ratio - 1.0, 0.65 * (coarse.ratio - 1.0));
  EXPECT_LT(fine.deviation, 0.35 * middle.deviation);
}

TEST(Flow, ASphereStaysAndTheStepDoesNotMatter) {
  const Mesh sphere = make_icosphere(3);
  const SphereMap map = flow_to_sphere(sphere);
  for (std::size_t v = 0; v < sphere.vertices.size(); ++v) {
    ASSERT_NEAR((map.vertices[v] - sphere.vertices[v]).norm(), 0.0, 1e-3);
  }
  const Mesh mesh = five_limbs(3);
  const auto far = flow_to_sphere(mesh, {.step = 0.4}).vertices;
  const auto near = flow_to_sphere(mesh, {.step = 0.1}).vertices;
  EXPECT_LT(fit_mobius(far, near).deviance, 5e-3);
}

TEST(Flow, TheMapOfTheSameShapeSeenFromInsideLooksOutwards) {
  Mesh inside = five_limbs(2);
  for (Face& face : inside.faces) std::swap(face[0], face[1]);
  const SphereMap map = flow_to_sphere(inside);
  EXPECT_EQ(count_flips(map.vertices, inside.faces), 0U);
  EXPECT_EQ(count_flips(map_to_sphere(inside).vertices, inside.faces), 0U);
}

TEST(Harmonic, EmbedsWithoutFoldsAndAgreesWithTheFlowUpToMobius) {
  const Mesh mesh = five_limbs(4);
  const SphereMap harmonic = harmonic_to_sphere(mesh);
  EXPECT_EQ(harmonic.flips, 0U);
  EXPECT_LT(quasi_conformal_ratio(mesh, harmonic.vertices), 1.3);
  EXPECT_LT(fit_mobius(flow_to_sphere(mesh).vertices, harmonic.vertices).deviance, 0.05);
}

TEST(MapToSphere, FollowsTheFlowAndIsCentred) {
  const Mesh mesh = five_limbs(3);
  std::vector<Point> flown = flow_to_sphere(mesh).vertices;
  centre_on_sphere(flown, mesh.faces, face_areas(mesh));
  SphereMap map = map_to_sphere(mesh);
  EXPECT_EQ(map.method, SphereMethod::flow);
  EXPECT_EQ(map.flips, 0U);
  EXPECT_LT(fit_mobius(flown, map.vertices).deviance, 5e-3);
  EXPECT_LE(centre_on_sphere(map.vertices, mesh.faces, face_areas(mesh)), 1e-10);
}

TEST(Centring, BringsTheMeanToZeroAndForgetsMobiusMaps) {
  RandomStream random(RandomKey(7, "centring"));
  const Mesh mesh = five_limbs(3);
  const std::vector<double> areas = face_areas(mesh);
  std::vector<Point> first = flow_to_sphere(mesh).vertices;
  EXPECT_LE(centre_on_sphere(first, mesh.faces, areas), 1e-10);
  for (int trial = 0; trial < 8; ++trial) {
    std::vector<Point> moved = random_mobius(random, 0.9)(first);
    EXPECT_LE(centre_on_sphere(moved, mesh.faces, areas), 1e-10);
    // Face centres do not move quite as points do, so what remains is a rotation up to O(edge²).
    const double dot = moved[5].dot(moved[300]);
    EXPECT_NEAR(dot, first[5].dot(first[300]), 0.02);
  }
}

TEST(FoldedPart, IsTheAreaOfFacesTurnedOver) {
  Mesh sphere = make_icosphere(1);
  EXPECT_EQ(folded_part(sphere.vertices, sphere.faces), 0.0);
  double whole = 0.0;
  for (Face& face : sphere.faces) std::swap(face[0], face[1]);
  whole = folded_part(sphere.vertices, sphere.faces);
  EXPECT_NEAR(whole, 1.0, 1e-12);
  EXPECT_EQ(count_flips(sphere.vertices, sphere.faces), sphere.faces.size());
}

TEST(Procedural, EveryFamilyIsASphereAndReachesIt) {
  ProceduralOptions options;
  options.level = 3;
  for (int category = 0; category < 10; ++category) {
    const Mesh mesh = procedural_shape(category, 1, options);
    EXPECT_EQ(why_not_sphere(inspect(mesh)), "") << procedural_category(category);
    EXPECT_NEAR(total_area(mesh), 4.0 * std::numbers::pi, 1e-9);
    EXPECT_GT(signed_volume(mesh), 0.0);
    const SphereMap map = map_to_sphere(mesh);
    EXPECT_LE(map.folded_part, 1e-3) << procedural_category(category);
    EXPECT_LT(quasi_conformal_ratio(mesh, map.vertices), 2.5) << procedural_category(category);
  }
  EXPECT_EQ(procedural_shape(3, 2), procedural_shape(3, 2));
  EXPECT_NE(procedural_shape(3, 2), procedural_shape(3, 1));
}

}  // namespace
}  // namespace algprior::mesh
