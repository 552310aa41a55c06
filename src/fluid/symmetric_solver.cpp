// Sums here are arranged in pairs that a symmetry of the square exchanges, and addition commutes:
// the build compiles this file without fused or reassociated arithmetic, which would not.
#include "algprior/fluid/solver.hpp"
#include "cosine_pressure.hpp"
#include "runaway.hpp"

#include <algorithm>
#include <cmath>

namespace algprior::fluid {
namespace {

constexpr double kFarthest = 1e6;  // beyond every grid, and safe to turn into an int

/// The samples i + ⌊d⌋ and i + ⌊d⌋ + 1 with weights that are each rounded once, so that −d gives
/// the mirrored pair; at a whole d there is one sample only.
struct SymmetricPair {
  int lower, upper;
  double lower_weight, upper_weight;
};

SymmetricPair pair_around(int i, double displacement) {
  const double d = displacement > -kFarthest ? std::min(displacement, kFarthest) : -kFarthest;
  const double whole = std::floor(d);
  const int n = static_cast<int>(whole);
  if (whole == d) return {i + n, i + n, 1.0, 0.0};
  return {i + n, i + n + 1, (whole + 1.0) - d, d - whole};
}

double four_blended(double ll, double lu, double ul, double uu, const SymmetricPair& x,
                    const SymmetricPair& y) {
  return (ll * (x.lower_weight * y.lower_weight) + uu * (x.upper_weight * y.upper_weight)) +
         (lu * (x.lower_weight * y.upper_weight) + ul * (x.upper_weight * y.lower_weight));
}

template <class Value>
double blended(const Value& value, const SymmetricPair& x, const SymmetricPair& y) {
  return four_blended(value(x.lower, y.lower), value(x.lower, y.upper), value(x.upper, y.lower),
                      value(x.upper, y.upper), x, y);
}

}  // namespace

struct SymmetricSolver::Work {
  explicit Work(const Flow& given)
      : flow(given),
        width(given.grid.width),
        height(given.grid.height),
        inflow(inflow_field(given)),
        pressure(width, height),
        carried(given.grid.cells()),
        moved(given.grid.cells()),
        divergence(given.grid.cells()) {}

  void advect_smoke(const State<double>& state);
  void advect_velocity(const State<double>& old);
  void push(State<double>& state) const;
  void project(State<double>& state);

  Flow flow;
  int width, height;
  std::vector<double> inflow;
  CosinePressure pressure;
  std::vector<double> carried, moved, divergence, next_u, next_v;
  int steps = 0;
};

void SymmetricSolver::Work::advect_smoke(const State<double>& state) {
  const auto pairs = [&](int x, int y, double time) {
    const double u = 0.5 * (state.u[state.u_at(x, y)] + state.u[state.u_at(x + 1, y)]);
    const double v = 0.5 * (state.v[state.v_at(x, y)] + state.v[state.v_at(x, y + 1)]);
    return std::pair(pair_around(x, time * u), pair_around(y, time * v));
  };
  const auto in = [&](const std::vector<double>& field) {
    return [&, this](int x, int y) {
      return field[state.smoke_at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1))];
    };
  };
  const auto smoke = in(state.smoke);
  const auto moved_once = in(carried);
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      const auto [px, py] = pairs(x, y, -flow.time_step);
      carried[state.smoke_at(x, y)] = blended(smoke, px, py);
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      const std::size_t cell = state.smoke_at(x, y);
      const auto [fx, fy] = pairs(x, y, flow.time_step);
      const double value = carried[cell] + 0.5 * (state.smoke[cell] - blended(moved_once, fx, fy));
      const auto [px, py] = pairs(x, y, -flow.time_step);
      const auto [low, high] = std::minmax({smoke(px.lower, py.lower), smoke(px.lower, py.upper),
                                            smoke(px.upper, py.lower), smoke(px.upper, py.upper)});
      moved[cell] = std::clamp(value, low, high) + inflow[cell];
    }
  }
}

void SymmetricSolver::Work::advect_velocity(const State<double>& old) {
  const bool slip = flow.walls == Walls::kSlip;
  // Along its own axis a component meets the walls, where it is 0; across, it may slip.
  const auto u_at = [&](int x, int y) {
    if (!slip && (y < 0 || y >= height)) return 0.0;
    return old.u[old.u_at(std::clamp(x, 0, width), std::clamp(y, 0, height - 1))];
  };
  const auto v_at = [&](int x, int y) {
    if (!slip && (x < 0 || x >= width)) return 0.0;
    return old.v[old.v_at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height))];
  };
  next_u = old.u;
  next_v = old.v;
  for (int x = 1; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      const double v = 0.25 * ((old.v[old.v_at(x - 1, y)] + old.v[old.v_at(x, y + 1)]) +
                               (old.v[old.v_at(x - 1, y + 1)] + old.v[old.v_at(x, y)]));
      next_u[old.u_at(x, y)] =
          blended(u_at, pair_around(x, -flow.time_step * old.u[old.u_at(x, y)]),
                  pair_around(y, -flow.time_step * v));
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 1; y < height; ++y) {
      const double u = 0.25 * ((old.u[old.u_at(x, y - 1)] + old.u[old.u_at(x + 1, y)]) +
                               (old.u[old.u_at(x, y)] + old.u[old.u_at(x + 1, y - 1)]));
      next_v[old.v_at(x, y)] = blended(v_at, pair_around(x, -flow.time_step * u),
                                       pair_around(y, -flow.time_step * old.v[old.v_at(x, y)]));
    }
  }
}

void SymmetricSolver::Work::push(State<double>& state) const {
  const double half_x = 0.5 * (flow.force_x * flow.time_step);
  const double half_y = 0.5 * (flow.force_y * flow.time_step);
  for (int x = 1; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      state.u[state.u_at(x, y)] +=
          half_x * (state.smoke[state.smoke_at(x - 1, y)] + state.smoke[state.smoke_at(x, y)]);
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 1; y < height; ++y) {
      state.v[state.v_at(x, y)] +=
          half_y * (state.smoke[state.smoke_at(x, y - 1)] + state.smoke[state.smoke_at(x, y)]);
    }
  }
}

void SymmetricSolver::Work::project(State<double>& state) {
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      divergence[state.smoke_at(x, y)] =
          (state.u[state.u_at(x + 1, y)] - state.u[state.u_at(x, y)]) +
          (state.v[state.v_at(x, y + 1)] - state.v[state.v_at(x, y)]);
    }
  }
  const std::vector<double>& p = pressure.solve(divergence);
  for (int x = 1; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      state.u[state.u_at(x, y)] -= p[state.smoke_at(x, y)] - p[state.smoke_at(x - 1, y)];
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 1; y < height; ++y) {
      state.v[state.v_at(x, y)] -= p[state.smoke_at(x, y)] - p[state.smoke_at(x, y - 1)];
    }
  }
}

SymmetricSolver::SymmetricSolver(const Flow& flow) {
  check(flow);
  work_ = std::make_unique<Work>(flow);
}

SymmetricSolver::~SymmetricSolver() = default;
SymmetricSolver::SymmetricSolver(SymmetricSolver&&) noexcept = default;
SymmetricSolver& SymmetricSolver::operator=(SymmetricSolver&&) noexcept = default;

StepReport SymmetricSolver::step(State<double>& state) {
  refuse_other_grid(work_->flow, state);
  work_->advect_smoke(state);
  work_->advect_velocity(state);
  state.smoke.swap(work_->moved);
  state.u.swap(work_->next_u);
  state.v.swap(work_->next_v);
  work_->push(state);
  work_->project(state);
  refuse_runaway(state, work_->flow, work_->steps);
  ++work_->steps;
  return {};
}

void SymmetricSolver::project(State<double>& state) {
  refuse_other_grid(work_->flow, state);
  work_->project(state);
}

}  // namespace algprior::fluid
