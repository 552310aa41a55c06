#include "algprior/base/error.hpp"
#include "algprior/mesh/mobius.hpp"
#include "algprior/mesh/sphere_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

constexpr int kMostSteps = 50;
constexpr double kCentred = 1e-10;
constexpr double kLongestStep = 0.99;

struct Balance {
  Point mean = Point::Zero();                            // μ = Σ m_f c_f
  Eigen::Matrix3d derivative = Eigen::Matrix3d::Zero();  // J = 2 Σ m_f (I − c_f c_fᵀ)
};

Balance balance_of(const std::vector<Point>& vertices, const std::vector<Face>& faces,
                   const std::vector<double>& masses, double total) {
  Balance balance;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto& [a, b, c] = faces[f];
    const Point centre = (vertices[a] + vertices[b] + vertices[c]).normalized();
    const double mass = masses[f] / total;
    balance.mean += mass * centre;
    balance.derivative += 2.0 * mass * (Eigen::Matrix3d::Identity() - centre * centre.transpose());
  }
  return balance;
}

}  // namespace

double centre_on_sphere(std::vector<Point>& vertices, const std::vector<Face>& faces,
                        const std::vector<double>& masses) {
  check(Mesh{vertices, faces});
  if (masses.size() != faces.size()) {
    throw InputError({"a sphere mesh cannot be centred", fmt::format("{} masses", masses.size()),
                      fmt::format("one for each of {} faces", faces.size()), ""});
  }
  double total = 0.0;
  for (const double mass : masses) total += mass;
  if (!(total > 0.0)) return 0.0;
  Balance balance = balance_of(vertices, faces, masses, total);
  const auto moved = [&](const Point& step) {
    Mobius mobius;
    mobius.centre = step;
    return mobius(vertices);
  };
  for (int step = 0; step < kMostSteps && balance.mean.norm() > kCentred; ++step) {
    const Point newton = -balance.derivative.fullPivLu().solve(balance.mean);
    if (!newton.allFinite() || !(newton.norm() > 0.0)) break;
    const Point direction = newton.normalized();
    const auto balance_at = [&](double length) {
      return balance_of(moved(length * direction), faces, masses, total).mean.norm();
    };
    double length = std::tanh(std::min(newton.norm(), 2.0));
    // Far from the solution Newton's step may lead away; then the best length is searched for.
    if (!(balance_at(length) < balance.mean.norm())) {
      constexpr double kRatio = 1.0 / std::numbers::phi;
      double low = 0.0, high = kLongestStep;
      for (int i = 0; i < 60; ++i) {
        const double a = high - kRatio * (high - low), b = low + kRatio * (high - low);
        (balance_at(a) < balance_at(b) ? high : low) = balance_at(a) < balance_at(b) ? b : a;
      }
      length = 0.5 * (low + high);
      if (!(balance_at(length) < balance.mean.norm())) break;
    }
    vertices = moved(length * direction);
    balance = balance_of(vertices, faces, masses, total);
  }
  return balance.mean.norm();
}

}  // namespace algprior::mesh
