#include "algprior/nn/steerable/spatial.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

namespace algprior::steerable {
namespace {

Eigen::MatrixXd kernel_points(const SpatialOptions& options) {
  const int k = options.kernel, half = (k - 1) / 2;
  Eigen::Index count = 1;
  for (int axis = 0; axis < options.axes; ++axis) count *= k;
  Eigen::MatrixXd points(options.axes, count);
  for (Eigen::Index p = 0; p < count; ++p) {
    Eigen::Index rest = p;
    for (int axis = 0; axis < options.axes; ++axis, rest /= k) {
      points(axis, p) = static_cast<double>(rest % k - half);
    }
  }
  return points;
}

int cut_off(int ring, int last) {
  if (ring == 0) return 0;
  return std::min(2 * ring, ring == last ? 2 : 2 * ring - (ring + 1) % 2);
}

double profile(double radius, int ring, int last) {
  constexpr double kCentre = 0.005, kMiddle = 0.6, kLast = 0.4;
  const double sigma = ring == 0 ? kCentre : ring == last ? kLast : kMiddle;
  return std::exp(-std::pow(radius - ring, 2) / (2 * sigma * sigma));
}

// Of unit vectors, in the order m = −l … l.
Eigen::VectorXd spherical(int l, double x, double y, double z) {
  const double theta = std::acos(std::clamp(z, -1.0, 1.0)), phi = std::atan2(y, x);
  const double scale = std::sqrt(4 * std::acos(-1.0) / (2 * l + 1));
  Eigen::VectorXd values(2 * l + 1);
  for (int m = 0; m <= l; ++m) {
    const double legendre =
        scale * std::sph_legendre(static_cast<unsigned>(l), static_cast<unsigned>(m), theta);
    const double factor = m == 0 ? legendre : std::sqrt(2.0) * legendre;
    values[l + m] = factor * std::cos(m * phi);
    if (m > 0) values[l - m] = factor * std::sin(m * phi);
  }
  return values;
}

Eigen::MatrixXd pixel_action(const SpatialBasis& basis, const Eigen::MatrixXd& matrix) {
  const Eigen::MatrixXd points = kernel_points(basis.options);
  const Eigen::MatrixXd moved = (matrix * points).array().round();
  constexpr double kRounding = 1e-9;
  if (!(matrix * points).isApprox(moved, kRounding)) {
    throw InputError({"a group moves the pixels of a kernel off the grid",
                      fmt::format("kernel {0} x {0}", basis.options.kernel), "a group of the grid",
                      "take SpatialKind::rings, whose functions every group turns"});
  }
  Eigen::MatrixXd action = Eigen::MatrixXd::Zero(points.cols(), points.cols());
  for (Eigen::Index from = 0; from < points.cols(); ++from) {
    for (Eigen::Index to = 0; to < points.cols(); ++to) {
      if (points.col(to) == moved.col(from)) action(to, from) = 1;
    }
  }
  return action;
}

void check(const SpatialOptions& options) {
  constexpr int kLargest = 63;
  if (options.kernel < 1 || options.kernel > kLargest || options.kernel % 2 == 0 ||
      (options.axes != 2 && options.axes != 3)) {
    throw InputError({"a kernel has no centre to turn about",
                      fmt::format("size {} on {} axes", options.kernel, options.axes),
                      fmt::format("an odd size up to {} on 2 or 3 axes", kLargest), ""});
  }
  // Rings carry about half as many functions as there are points.
  check_memory(8 * std::pow(options.kernel, 2 * options.axes), "a kernel's functions",
               fmt::format("size {} on {} axes", options.kernel, options.axes));
  const int last = (options.kernel - 1) / 2;
  int highest = 0;
  for (int ring = 0; ring <= last; ++ring) highest = std::max(highest, cut_off(ring, last));
  if (options.kind == SpatialKind::rings && options.highest > highest) {
    throw InputError(
        {"a kernel is too small for its harmonics",
         fmt::format("frequency {} on a kernel of size {}", options.highest, options.kernel),
         fmt::format("at most {}", highest),
         "take a larger kernel: size 3 holds 2, 7 holds 3, 9 holds 6"});
  }
}

}  // namespace

std::size_t SpatialBasis::functions() const {
  std::size_t count = 0;
  for (const SpatialBlock& block : blocks) {
    count += static_cast<std::size_t>(block.functions) * block.samples.size();
  }
  return count;
}

Eigen::MatrixXd harmonics(int axes, int frequency, const Eigen::MatrixXd& points) {
  constexpr int kHighest = 64;
  if ((axes != 2 && axes != 3) || points.rows() != axes || frequency < 0 || frequency > kHighest) {
    throw InputError({"harmonics cannot be taken so",
                      fmt::format("frequency {} of points with {} coordinates on {} axes",
                                  frequency, points.rows(), axes),
                      fmt::format("0 to {}, on 2 or 3 axes", kHighest), ""});
  }
  const Eigen::Index count = frequency == 0 ? 1 : axes == 2 ? 2 : 2 * frequency + 1;
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(count, points.cols());
  for (Eigen::Index p = 0; p < points.cols(); ++p) {
    const double radius = points.col(p).norm();
    if (frequency == 0) {
      values(0, p) = 1;
    } else if (radius > 0 && axes == 2) {
      const double angle = frequency * std::atan2(points(1, p), points(0, p));
      values(0, p) = std::cos(angle);
      values(1, p) = std::sin(angle);
    } else if (radius > 0) {
      const Eigen::Vector3d unit = points.col(p) / radius;
      values.col(p) = spherical(frequency, unit[0], unit[1], unit[2]);
    }
  }
  return values;
}

SpatialBasis make_spatial_basis(const SpatialOptions& options) {
  check(options);
  SpatialBasis basis{options, {}};
  const Eigen::MatrixXd points = kernel_points(options);
  if (options.kind == SpatialKind::pixels) {
    const auto all = Eigen::MatrixXd::Identity(points.cols(), points.cols());
    basis.blocks.push_back({-1, points.cols(), {all}});
    return basis;
  }
  const int last = (options.kernel - 1) / 2;
  for (int ring = 0; ring <= last; ++ring) {
    int highest = cut_off(ring, last);
    if (options.highest >= 0) highest = std::min(highest, options.highest);
    for (int frequency = 0; frequency <= highest; ++frequency) {
      if (static_cast<std::size_t>(frequency) == basis.blocks.size()) {
        basis.blocks.push_back({frequency, 0, {}});
      }
      Eigen::MatrixXd samples = harmonics(options.axes, frequency, points);
      for (Eigen::Index p = 0; p < points.cols(); ++p) {
        samples.col(p) *= profile(points.col(p).norm(), ring, last);
      }
      SpatialBlock& block = basis.blocks[static_cast<std::size_t>(frequency)];
      block.functions = samples.rows();
      block.samples.push_back(std::move(samples));
    }
  }
  return basis;
}

Eigen::MatrixXd spatial_action(const SpatialBasis& basis, const SpatialBlock& block,
                               const Eigen::MatrixXd& matrix) {
  const int axes = basis.options.axes;
  // As many functions as the points below can tell apart.
  constexpr int kHighest = 15;
  if ((axes != 2 && axes != 3) || matrix.rows() != axes || matrix.cols() != axes ||
      !matrix.allFinite() || (axes == 3 && block.frequency > kHighest)) {
    throw InputError(
        {"functions on a kernel cannot be turned so",
         fmt::format("a matrix {} x {}, frequency {}, {} axes", matrix.rows(), matrix.cols(),
                     block.frequency, axes),
         fmt::format("a finite matrix of 2 or 3 axes, in space up to frequency {}", kHighest), ""});
  }
  if (block.frequency < 0) return pixel_action(basis, matrix);
  // The harmonics span an invariant space, so a few points in general position tell the matrix.
  constexpr Eigen::Index kPoints = 40;
  Eigen::MatrixXd points(basis.options.axes, kPoints);
  for (Eigen::Index p = 0; p < kPoints; ++p) {
    for (int axis = 0; axis < basis.options.axes; ++axis) {
      points(axis, p) =
          std::sin(1.0 + 1.7 * static_cast<double>(p) + 2.3 * axis * static_cast<double>(p + 1));
    }
  }
  const Eigen::MatrixXd at = harmonics(basis.options.axes, block.frequency, points);
  const Eigen::MatrixXd moved =
      harmonics(basis.options.axes, block.frequency, matrix.transpose() * points);
  // moved = Sᵀ at
  return at.transpose().colPivHouseholderQr().solve(moved.transpose());
}

}  // namespace algprior::steerable
