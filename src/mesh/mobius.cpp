#include "algprior/mesh/mobius.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

/// Homogeneous coordinates (p, q) of z = p/q, of length 1. Neither pole is a special case.
Eigen::Vector2cd homogeneous(const Point& point) {
  const Point x = point.normalized();
  const std::complex<double> across(x.x(), -x.y());
  const Eigen::Vector2cd pair = x.z() >= 0.0 ? Eigen::Vector2cd(across, 1.0 + x.z())
                                             : Eigen::Vector2cd(1.0 - x.z(), std::conj(across));
  return pair.normalized();
}

Point point_of(const Eigen::Vector2cd& pair) {
  const double size = pair.squaredNorm();
  const std::complex<double> across = 2.0 * pair[0] * std::conj(pair[1]) / size;
  return {across.real(), -across.imag(), (std::norm(pair[1]) - std::norm(pair[0])) / size};
}

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

void check_points(const std::vector<Point>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].allFinite() && points[i].norm() > 0.0) continue;
    throw InputError({"a point has no place on the sphere", fmt::format("point {}", i),
                      "three finite coordinates, not all zero", ""});
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
  if (!(largest >= 0.0 && largest < 1.0)) {
    throw InputError({"the centre of a Möbius transformation cannot be drawn so far out",
                      fmt::format("up to {}", largest), "0 or more, below 1", ""});
  }
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
  const Eigen::Vector2cd pair = homogeneous(point);
  if (pair[1] == 0.0) return std::numeric_limits<double>::infinity();
  return pair[0] / pair[1];
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
  check_points(from);
  check_points(to);
  // z₂ = (az₁ + b)/(cz₁ + d), with z = p/q multiplied out: every row is bounded.
  Eigen::MatrixXcd rows(static_cast<Eigen::Index>(from.size()), 4);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Eigen::Vector2cd u = homogeneous(from[i]), v = homogeneous(to[i]);
    rows.row(static_cast<Eigen::Index>(i)) << -u[0] * v[1], -u[1] * v[1], u[0] * v[0], u[1] * v[0];
  }
  const Eigen::Matrix4cd square = rows.adjoint() * rows;
  const Eigen::JacobiSVD<Eigen::Matrix4cd> svd(square, Eigen::ComputeFullV);
  const Eigen::Vector4cd v = svd.matrixV().col(3);
  MobiusFit fit;
  fit.matrix << v[0], v[1], v[2], v[3];
  const std::complex<double> determinant = fit.matrix.determinant();
  if (std::abs(determinant) > 0.0) fit.matrix /= std::sqrt(determinant);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Point image = point_of(fit.matrix * homogeneous(from[i]));
    fit.deviance += 2.0 * std::asin(std::min(1.0, 0.5 * (image - to[i].normalized()).norm()));
  }
  fit.deviance /= static_cast<double>(from.size());
  return fit;
}

}  // namespace algprior::mesh
