#include "algprior/fluid/state.hpp"

#include "algprior/base/error.hpp"

#include <cmath>
#include <numeric>
#include <string>

namespace algprior::fluid {
namespace {

void check_size(std::size_t found, int a, int b, const char* name) {
  const std::size_t size = static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
  if (found == size) return;
  throw InputError({"a fluid's state does not fit its grid", name,
                    std::to_string(size) + " numbers, found " + std::to_string(found), ""});
}

template <class Real>
State<Real> turned_once(const State<Real>& state) {
  const auto [width, height] = state.grid;
  State<Real> out = resting_state<Real>({height, width});
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      out.smoke[out.smoke_at(y, width - 1 - x)] = state.smoke[state.smoke_at(x, y)];
    }
  }
  // The vector (a, b) becomes (b, −a).
  for (int x = 0; x <= width; ++x) {
    for (int y = 0; y < height; ++y) {
      out.v[out.v_at(y, width - x)] = Real(0) - state.u[state.u_at(x, y)];
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y <= height; ++y) {
      out.u[out.u_at(y, width - 1 - x)] = state.v[state.v_at(x, y)];
    }
  }
  return out;
}

Flow turned_once(Flow flow) {
  const double width = flow.grid.width;
  flow.grid = {flow.grid.height, flow.grid.width};
  const double force_x = flow.force_x;
  flow.force_x = flow.force_y;
  flow.force_y = 0.0 - force_x;
  for (Inflow& inflow : flow.inflows) {
    const double x = inflow.x;
    inflow.x = inflow.y;
    inflow.y = width - x;
  }
  return flow;
}

template <class Value>
Value turned_by(Value value, int quarters) {
  const int times = ((quarters % 4) + 4) % 4;
  for (int i = 0; i < times; ++i) value = turned_once(value);
  return value;
}

template <class Real>
void check_finite(const std::vector<Real>& field, const char* name) {
  for (const Real value : field) {
    if (std::isfinite(value)) continue;
    throw InputError({"a fluid's state is not finite", name, "finite numbers", ""});
  }
}

}  // namespace

template <class Real>
State<Real> resting_state(const Grid& grid) {
  check(grid);
  const auto count = [](int a, int b) { return static_cast<std::size_t>(a) * b; };
  return {grid, std::vector<Real>(count(grid.width, grid.height), Real(0)),
          std::vector<Real>(count(grid.width + 1, grid.height), Real(0)),
          std::vector<Real>(count(grid.width, grid.height + 1), Real(0))};
}

template <class Real>
void check_sizes(const State<Real>& state) {
  check(state.grid);
  const auto [width, height] = state.grid;
  check_size(state.smoke.size(), width, height, "smoke");
  check_size(state.u.size(), width + 1, height, "u");
  check_size(state.v.size(), width, height + 1, "v");
}

template <class Real>
void check(const State<Real>& state) {
  check_sizes(state);
  const auto [width, height] = state.grid;
  check_finite(state.smoke, "smoke");
  check_finite(state.u, "u");
  check_finite(state.v, "v");
  bool still = true;
  for (int y = 0; y < height; ++y) {
    still = still && state.u[state.u_at(0, y)] == 0 && state.u[state.u_at(width, y)] == 0;
  }
  for (int x = 0; x < width; ++x) {
    still = still && state.v[state.v_at(x, 0)] == 0 && state.v[state.v_at(x, height)] == 0;
  }
  if (!still) {
    throw InputError({"a fluid flows through its walls", "u or v on an outer face",
                      "0 on every outer face", "set the outer faces to 0"});
  }
}

template <class Real>
std::vector<double> divergence(const State<Real>& state) {
  check_sizes(state);
  const auto [width, height] = state.grid;
  std::vector<double> out(state.smoke.size());
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      out[state.smoke_at(x, y)] =
          (double{state.u[state.u_at(x + 1, y)]} - double{state.u[state.u_at(x, y)]}) +
          (double{state.v[state.v_at(x, y + 1)]} - double{state.v[state.v_at(x, y)]});
    }
  }
  return out;
}

template <class Real>
double kinetic_energy(const State<Real>& state) {
  double sum = 0.0;
  for (const Real value : state.u) sum += double{value} * double{value};
  for (const Real value : state.v) sum += double{value} * double{value};
  return 0.5 * sum;
}

template <class Real>
double smoke_mass(const State<Real>& state) {
  return std::accumulate(state.smoke.begin(), state.smoke.end(), 0.0);
}

template <class Real>
State<Real> turned(const State<Real>& state, int quarters) {
  check_sizes(state);
  return turned_by(state, quarters);
}

Flow turned(const Flow& flow, int quarters) {
  return turned_by(flow, quarters);
}

#define ALGPRIOR_FLUID_STATE(Real)                             \
  template State<Real> resting_state<Real>(const Grid&);       \
  template void check(const State<Real>&);                     \
  template void check_sizes(const State<Real>&);               \
  template std::vector<double> divergence(const State<Real>&); \
  template double kinetic_energy(const State<Real>&);          \
  template double smoke_mass(const State<Real>&);              \
  template State<Real> turned(const State<Real>&, int);
ALGPRIOR_FLUID_STATE(float)
ALGPRIOR_FLUID_STATE(double)
#undef ALGPRIOR_FLUID_STATE

}  // namespace algprior::fluid
