// Laws of the symmetric solver: symmetry to the last bit, no divergence, no force from nothing.
#include "algprior/fluid/smoke.hpp"
#include "flows.hpp"

#include <gtest/gtest.h>

namespace algprior::fluid {
namespace {

State<double> after(const Flow& flow, State<double> state, int steps) {
  SymmetricSolver solver(flow);
  for (int i = 0; i < steps; ++i) solver.step(state);
  return state;
}

/// (x, y) to (y, x): with the quarter turns this gives all symmetries of the square.
template <class Real>
State<Real> transposed(const State<Real>& state) {
  State<Real> out = resting_state<Real>({state.grid.height, state.grid.width});
  for (int x = 0; x <= state.grid.width; ++x) {
    for (int y = 0; y <= state.grid.height; ++y) {
      const bool in_x = x < state.grid.width, in_y = y < state.grid.height;
      if (in_x && in_y) out.smoke[out.smoke_at(y, x)] = state.smoke[state.smoke_at(x, y)];
      if (in_y) out.v[out.v_at(y, x)] = state.u[state.u_at(x, y)];
      if (in_x) out.u[out.u_at(y, x)] = state.v[state.v_at(x, y)];
    }
  }
  return out;
}

Flow transposed(Flow flow) {
  std::swap(flow.grid.width, flow.grid.height);
  std::swap(flow.force_x, flow.force_y);
  for (Inflow& inflow : flow.inflows) std::swap(inflow.x, inflow.y);
  return flow;
}

TEST(FluidSymmetry, FourQuarterTurnsAreTheIdentityAndTwoAreAHalfTurn) {
  const auto state = random_state<double>({7, 5}, 1.0, 1);
  EXPECT_EQ(turned(state, 4), state);
  EXPECT_EQ(turned(turned(state, 1), -1), state);
  EXPECT_EQ(turned(turned(state, 1), 1), turned(state, 2));
  EXPECT_NE(turned(state, 2), state);
  EXPECT_EQ(turned(plume(), 4), plume());
  check(turned(state, 1));
}

TEST(FluidSymmetry, ATurnedSimulationIsTheTurnedSimulationToTheLastBit) {
  for (const Walls walls : {Walls::kStick, Walls::kSlip}) {
    const Flow flow = plume(walls);
    const auto start = random_state<double>(flow.grid, 2.0, 7);
    const State<double> end = after(flow, start, 60);
    for (int quarters = 1; quarters < 4; ++quarters) {
      EXPECT_EQ(after(turned(flow, quarters), turned(start, quarters), 60), turned(end, quarters))
          << quarters;
    }
    EXPECT_EQ(after(transposed(flow), transposed(start), 60), transposed(end));
  }
}

TEST(FluidSymmetry, PlumesFromTheFourSidesAreOnePlumeAtEqualForces) {
  // k = 4 enters from the left. Turned, it enters from below, the right and above, as k = 1, 2, 3.
  const Flow flow = smoke_flow(4);
  const State<double> end = after(flow, resting_state<double>(flow.grid), 310);
  EXPECT_GT(kinetic_energy(end), 1000);
  for (int quarters = 1; quarters < 4; ++quarters) {
    const Flow other = turned(flow, quarters);
    EXPECT_EQ(other.inflows, smoke_flow(4 - quarters).inflows);
    EXPECT_EQ(after(other, resting_state<double>(flow.grid), 310), turned(end, quarters));
  }
}

TEST(FluidSymmetry, APlumeKeepsItsMirrorImage) {
  const Flow flow = smoke_flow(5);
  const State<double> end = after(flow, resting_state<double>(flow.grid), 150);
  EXPECT_EQ(transposed(turned(end, 1)), end);
}

TEST(FluidProjection, LeavesNoDivergence) {
  for (const Grid& grid : {Grid{64, 64}, Grid{33, 20}, Grid{4, 5}}) {
    Flow flow;
    flow.grid = grid;
    auto state = random_state<double>(grid, 5.0, 3);
    SymmetricSolver(flow).project(state);
    EXPECT_LT(largest(divergence(state)), 1e-12);
    const auto once = state;
    SymmetricSolver(flow).project(state);
    EXPECT_LT(velocity_distance(state, once), 1e-13) << "a projection";
    check(state);
  }
  const Flow flow = smoke_flow(36);
  auto state = resting_state<double>(flow.grid);
  SymmetricSolver solver(flow);
  for (int i = 0; i < 100; ++i) {
    solver.step(state);
    ASSERT_LT(largest(divergence(state)), 1e-10) << i;
  }
}

TEST(FluidProjection, SplitsAGradientFromAVortex) {
  const Grid grid{30, 22};
  const State<double> vortex = taylor_green(grid, 1.0);
  State<double> state = vortex;
  SymmetricSolver solver({grid, {}, 0, 0, 1, Walls::kSlip});
  solver.project(state);
  // On a square the sampled vortex has no discrete divergence; here it loses its gradient part.
  const State<double> solenoidal = state;
  for (int x = 1; x < grid.width; ++x) {
    for (int y = 0; y < grid.height; ++y) {
      const auto potential = [&](int i) {
        return std::cos(2 * std::numbers::pi * (i + 0.5) / grid.width) + 0.01 * i * y * y;
      };
      state.u[state.u_at(x, y)] += potential(x) - potential(x - 1);
    }
  }
  for (int x = 0; x < grid.width; ++x) {
    for (int y = 1; y < grid.height; ++y) {
      state.v[state.v_at(x, y)] += 0.01 * x * (y * y - (y - 1) * (y - 1));
    }
  }
  solver.project(state);
  EXPECT_LT(velocity_distance(state, solenoidal), 1e-12);
}

TEST(FluidLaws, NothingMovesWithoutSmokeAndForceAndInflowAloneOnlyFills) {
  Flow flow = plume();
  flow.inflows.clear();
  const auto rest = resting_state<double>(flow.grid);
  EXPECT_EQ(after(flow, rest, 5), rest);
  flow = plume();
  flow.force_x = flow.force_y = 0;
  const State<double> filled = after(flow, rest, 5);
  EXPECT_EQ(kinetic_energy(filled), 0);
  const std::vector<double> inflow = inflow_field(flow);
  for (std::size_t i = 0; i < inflow.size(); ++i) EXPECT_DOUBLE_EQ(filled.smoke[i], 5 * inflow[i]);
}

TEST(FluidLaws, WithoutInflowSmokeStaysBetweenItsExtremes) {
  Flow flow = plume();
  flow.inflows.clear();
  auto state = random_state<double>(flow.grid, 3.0, 5);
  SymmetricSolver solver(flow);
  for (int i = 0; i < 30; ++i) {
    solver.step(state);
    for (const double value : state.smoke) ASSERT_TRUE(value >= 0 && value <= 1) << value;
  }
}

}  // namespace
}  // namespace algprior::fluid
