#pragma once

#include "algprior/fluid/solver.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace algprior::fluid {

/// Smoke and velocities without any symmetry, walls at rest, speeds up to `speed`.
template <class Real>
State<Real> random_state(const Grid& grid, double speed, unsigned seed) {
  State<Real> state = resting_state<Real>(grid);
  std::uint64_t bits = seed * 2654435761u + 1;
  const auto draw = [&] {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(bits >> 11) * 0x1p-53;
  };
  for (Real& value : state.smoke) value = static_cast<Real>(draw());
  for (int x = 1; x < grid.width; ++x) {
    for (int y = 0; y < grid.height; ++y) {
      state.u[state.u_at(x, y)] = static_cast<Real>(speed * (2 * draw() - 1));
    }
  }
  for (int x = 0; x < grid.width; ++x) {
    for (int y = 1; y < grid.height; ++y) {
      state.v[state.v_at(x, y)] = static_cast<Real>(speed * (2 * draw() - 1));
    }
  }
  return state;
}

/// The Taylor–Green vortex that fills the box, u = A sin(πx/w) cos(πy/h), v likewise: a flow that
/// stands still under Euler's equations with walls that slip (w = h).
inline State<double> taylor_green(const Grid& grid, double amplitude) {
  State<double> state = resting_state<double>(grid);
  const double kx = std::numbers::pi / grid.width, ky = std::numbers::pi / grid.height;
  for (int x = 1; x < grid.width; ++x) {
    for (int y = 0; y < grid.height; ++y) {
      state.u[state.u_at(x, y)] = amplitude * std::sin(kx * x) * std::cos(ky * (y + 0.5));
    }
  }
  for (int x = 0; x < grid.width; ++x) {
    for (int y = 1; y < grid.height; ++y) {
      state.v[state.v_at(x, y)] = -amplitude * std::cos(kx * (x + 0.5)) * std::sin(ky * y);
    }
  }
  return state;
}

inline double largest(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values) out = std::max(out, std::abs(value));
  return out;
}

/// ‖a − b‖ / ‖b‖ of the velocities.
template <class A, class B>
double velocity_distance(const State<A>& a, const State<B>& b) {
  double difference = 0, norm = 0;
  const auto add = [&](const auto& left, const auto& right) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      difference += std::pow(double{left[i]} - double{right[i]}, 2);
      norm += std::pow(double{right[i]}, 2);
    }
  };
  add(a.u, b.u);
  add(a.v, b.v);
  return std::sqrt(difference / norm);
}

inline State<double> to_double(const State<float>& state) {
  return {state.grid,
          {state.smoke.begin(), state.smoke.end()},
          {state.u.begin(), state.u.end()},
          {state.v.begin(), state.v.end()}};
}

/// A plume in a box that is not square.
inline Flow plume(Walls walls = Walls::kStick) {
  Flow flow;
  flow.grid = {24, 20};
  flow.inflows = {{7.3, 5.2, 3, 1.0}, {18, 12, 2, 0.5}};
  flow.force_x = 0.02;
  flow.force_y = 0.07;
  flow.walls = walls;
  return flow;
}

}  // namespace algprior::fluid
