// Möbius transformations of the sphere: on the sphere, a group, cross-ratios kept.
#include "algprior/mesh/mobius.hpp"

#include "algprior/base/error.hpp"
#include "algprior/mesh/refine.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

std::complex<double> cross_ratio(const Point& a, const Point& b, const Point& c, const Point& d) {
  const auto p = to_plane(a), q = to_plane(b), r = to_plane(c), s = to_plane(d);
  return (p - r) * (q - s) / ((q - r) * (p - s));
}

TEST(Mobius, KeepsTheSphereTheCrossRatiosAndTheOrientation) {
  RandomStream random(RandomKey(3, "mobius test"));
  const Mesh sphere = make_icosphere(2);
  for (int trial = 0; trial < 20; ++trial) {
    const Mobius mobius = random_mobius(random, 0.6);
    EXPECT_LE(mobius.centre.norm(), 0.6);
    const auto image = mobius(sphere.vertices);
    for (const Point& p : image) ASSERT_NEAR(p.norm(), 1.0, 1e-14);
    for (const auto& [a, b, c] : sphere.faces) {
      ASSERT_GT(image[a].dot(image[b].cross(image[c])), 0.0);
    }
    const auto before = cross_ratio(sphere.vertices[1], sphere.vertices[20], sphere.vertices[50],
                                    sphere.vertices[90]);
    const auto after = cross_ratio(image[1], image[20], image[50], image[90]);
    EXPECT_NEAR(std::abs(before - after), 0.0, 1e-10 * (1.0 + std::abs(before)));
  }
}

TEST(Mobius, ScalesLengthsByTheStatedFactor) {
  Mobius mobius;
  mobius.centre = Point(0.1, -0.25, 0.15);
  const double step = 1e-6;
  for (const Point& x : make_icosphere(1).vertices) {
    const Point moved = (x + step * x.unitOrthogonal()).normalized();
    const double factor = (mobius(moved) - mobius(x)).norm() / (moved - x).norm();
    EXPECT_NEAR(factor, (1 - mobius.centre.squaredNorm()) / (x + mobius.centre).squaredNorm(),
                1e-5);
  }
  mobius.centre = Point(1, 0, 0);
  EXPECT_THROW(mobius(Point(0, 0, 1)), InputError);
}

TEST(Mobius, AFitFindsCompositionsAndRefusesOthers) {
  RandomStream random(RandomKey(4, "mobius fit"));
  const auto points = make_icosphere(2).vertices;
  for (int trial = 0; trial < 10; ++trial) {
    const Mobius first = random_mobius(random, 0.5), second = random_mobius(random, 0.5);
    const MobiusFit fit = fit_mobius(points, second(first(points)));
    EXPECT_LT(fit.deviance, 1e-6);
    EXPECT_NEAR(std::abs(fit.matrix.determinant() - 1.0), 0.0, 1e-9);
  }
  // A map that squeezes along one axis is not conformal.
  std::vector<Point> squeezed;
  for (const Point& p : points) squeezed.push_back(Point(p.x(), p.y(), 2.0 * p.z()).normalized());
  EXPECT_GT(fit_mobius(points, squeezed).deviance, 0.05);
  EXPECT_THROW(fit_mobius(points, {points[0]}), InputError);
}

TEST(Mobius, RotationsAreHaarDistributed) {
  RandomStream random(RandomKey(5, "haar"));
  Point mean = Point::Zero();
  double trace = 0.0, square = 0.0;
  const int count = 20000;
  for (int i = 0; i < count; ++i) {
    const Eigen::Matrix3d rotation = random_rotation(random);
    ASSERT_NEAR(rotation.determinant(), 1.0, 1e-12);
    mean += rotation.col(2) / count;
    trace += rotation.trace() / count;
    square += rotation.trace() * rotation.trace() / count;
  }
  // ∫R = 0, ∫χ = 0 and ∫χ² = 1 for the irreducible character χ of rotations; 5σ of the estimates.
  EXPECT_LT(mean.norm(), 5.0 / std::sqrt(count));
  EXPECT_NEAR(trace, 0.0, 5.0 / std::sqrt(count));
  EXPECT_NEAR(square, 1.0, 10.0 / std::sqrt(count));
}

}  // namespace
}  // namespace algprior::mesh
