#include "algprior/mesh/mobius.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

// Beyond this half-angle from the north pole z runs away and one point would rule the fit.
constexpr double kLargestHalfAngle = 1.56;

Point inverted(const Point& x, const Point& c) {
  const Point shifted = x + c;
  return ((1.0 - c.squaredNorm()) / shifted.squaredNorm() * shifted + c).normalized();
}

void check_centre(const Point& c) {
  if (!(c.norm() < 1.0)) {
    throw InputError({"the centre of a Möbius transformation lies outside the ball",
                      fmt::format("|c| = {}", c.norm()), "|c| < 1", "shorten c"});
  }
}

}  // namespace

Point Mobius::operator()(const Point& x) const {
  check_centre(centre);
  return rotation * inverted(x, centre);
}

std::vector<Point> Mobius::operator()(std::vector<Point> points) const {
  check_centre(centre);
  for (Point& point : points) point = rotation * inverted(point, centre);
  return points;
}

Eigen::Matrix3d random_rotation(RandomStream& random) {
  Eigen::Vector4d q;
  do {
    for (int i = 0; i < 4; ++i) q[i] = random.normal();
  } while (q.norm() < 1e-6);
  q.normalize();
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

Mobius random_mobius(RandomStream& random, double largest) {
  const double length = largest * random.uniform();
  Point direction;
  do {
    for (int i = 0; i < 3; ++i) direction[i] = random.normal();
  } while (direction.norm() < 1e-6);
  Mobius mobius;
  mobius.centre = length * direction.normalized();
  mobius.rotation = random_rotation(random);
  check_centre(mobius.centre);
  return mobius;
}

std::complex<double> to_plane(const Point& point) {
  // tan(φ/2) = sin φ/(1 + cos φ).
  const Point p = point.normalized();
  return std::complex<double>(p.x(), -p.y()) / std::max(1.0 + p.z(), 1e-300);
}

Point to_sphere(std::complex<double> z) {
  const double square = std::norm(z);
  if (!std::isfinite(square)) return {0.0, 0.0, -1.0};
  return Point(2.0 * z.real(), -2.0 * z.imag(), 1.0 - square) / (1.0 + square);
}

MobiusFit fit_mobius(const std::vector<Point>& from, const std::vector<Point>& to) {
  if (from.size() != to.size() || from.size() < 3) {
    throw InputError({"a Möbius transformation is fitted to pairs of points",
                      fmt::format("{} and {} points", from.size(), to.size()),
                      "equally many, 3 or more", ""});
  }
  const double highest = std::tan(kLargestHalfAngle);
  Eigen::MatrixXcd rows = Eigen::MatrixXcd::Zero(static_cast<Eigen::Index>(from.size()), 4);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto z1 = to_plane(from[i]), z2 = to_plane(to[i]);
    if (std::abs(z1) > highest || std::abs(z2) > highest) continue;
    // Divided by its own size, a row far from the north pole weighs as much as one near it.
    const double size = std::sqrt((1.0 + std::norm(z1)) * (1.0 + std::norm(z2)));
    rows.row(static_cast<Eigen::Index>(i)) << -z1 / size, -1.0 / size, z1 * z2 / size, z2 / size;
  }
  const Eigen::Matrix4cd square = rows.adjoint() * rows;
  const Eigen::JacobiSVD<Eigen::Matrix4cd> svd(square, Eigen::ComputeFullV);
  const Eigen::Vector4cd v = svd.matrixV().col(3);
  MobiusFit fit;
  fit.matrix << v[0], v[1], v[2], v[3];
  const std::complex<double> determinant = fit.matrix.determinant();
  if (std::abs(determinant) > 0.0) fit.matrix /= std::sqrt(determinant);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Eigen::Vector2cd w = fit.matrix * Eigen::Vector2cd(to_plane(from[i]), 1.0);
    const Point image = to_sphere(w[0] / w[1]);
    fit.deviance += 2.0 * std::asin(std::min(1.0, 0.5 * (image - to[i].normalized()).norm()));
  }
  fit.deviance /= static_cast<double>(from.size());
  return fit;
}

}  // namespace algprior::mesh
