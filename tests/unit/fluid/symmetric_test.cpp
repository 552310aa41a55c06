// The symmetric solver against solutions that are known.
#include "flows.hpp"

#include <gtest/gtest.h>

namespace algprior::fluid {
namespace {

/// How far a vortex that should stand still has moved after a quarter of its turning time, with
/// time steps of half a cell: semi-Lagrangian advection is of first order then.
double vortex_error(int n) {
  const Grid grid{n, n};
  const State<double> exact = taylor_green(grid, 0.5);
  State<double> state = exact;
  SymmetricSolver solver({grid, {}, 0, 0, 1, Walls::kSlip});
  for (int i = 0; i < n / 2; ++i) solver.step(state);
  return velocity_distance(state, exact);
}

TEST(TaylorGreen, ConvergesAtFirstOrder) {
  const double coarse = vortex_error(16), middle = vortex_error(32), fine = vortex_error(64);
  EXPECT_LT(fine, 0.02);
  EXPECT_GT(std::log2(coarse / middle), 0.8) << coarse << " " << middle;
  EXPECT_GT(std::log2(middle / fine), 0.9) << middle << " " << fine;
  EXPECT_LT(std::log2(middle / fine), 1.2) << middle << " " << fine;
}

TEST(TaylorGreen, TheSampledVortexHasNoDivergence) {
  EXPECT_LT(largest(divergence(taylor_green({48, 48}, 1.0))), 1e-14);
}

TEST(TaylorGreen, EnergyNeverGrows) {
  const Grid grid{32, 32};
  State<double> state = taylor_green(grid, 1.5);
  SymmetricSolver solver({grid, {}, 0, 0, 1, Walls::kSlip});
  double energy = kinetic_energy(state);
  for (int i = 0; i < 40; ++i) {
    solver.step(state);
    ASSERT_LE(kinetic_energy(state), energy * (1 + 1e-12)) << i;
    energy = kinetic_energy(state);
  }
}

TEST(SymmetricSolver, CarriesSmokeWithAUniformStreamExactlyByWholeCells) {
  // A stream in the middle of a long box; what lies in it moves two cells a step.
  const Grid grid{40, 6};
  Flow flow;
  flow.grid = grid;
  State<double> state = random_state<double>(grid, 0.0, 9);
  for (int x = 1; x < grid.width; ++x) {
    for (int y = 0; y < grid.height; ++y) state.u[state.u_at(x, y)] = 2.0;
  }
  const State<double> before = state;
  SymmetricSolver(flow).step(state);
  for (int x = 6; x < 34; ++x) {
    for (int y = 0; y < grid.height; ++y) {
      EXPECT_EQ(state.smoke[state.smoke_at(x, y)], before.smoke[state.smoke_at(x - 2, y)]);
    }
  }
}

TEST(SymmetricSolver, HalfTheTimeStepTwiceIsNearlyOneStep) {
  Flow flow = plume();
  flow.time_step = 0.1;
  Flow half = flow;
  half.time_step = 0.05;
  State<double> one = resting_state<double>(flow.grid), two = one;
  SymmetricSolver solver(flow), finer(half);
  for (int i = 0; i < 30; ++i) {
    solver.step(one);
    finer.step(two);
    finer.step(two);
  }
  EXPECT_LT(velocity_distance(two, one), 0.1);
  EXPECT_GT(kinetic_energy(one), 0.01);
}

}  // namespace
}  // namespace algprior::fluid
