// float32 by the published rule: the real generator's bytes in the first steps, and agreement with
// the other solver where no bytes are known.
#include "flows.hpp"
#include "generator.hpp"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace algprior::fluid {
namespace {

TEST(PublishedSolver, TheFirstStepsAreTheGeneratorsBytes) {
  EXPECT_EQ(expect_generator_states(1, 13), 13);
  EXPECT_EQ(expect_generator_states(2, 13), 13);
  EXPECT_EQ(expect_generator_states(3, 52), 2);
  EXPECT_EQ(expect_generator_states(4, 52), 2);
}

TEST(PublishedSolver, IterationsEnergyAndMassAsTheGeneratorReports) {
  struct Row {
    int k, step, iterations;
    double energy, mass;
  };
  for (const Row& row :
       {Row{1, 0, 179, 1.40655560e-03, 80.0000}, Row{1, 20, 178, 55.6192884, 1684.8552},
        Row{3, 12, 178, 97.4475931, 1033.4715}, Row{4, 20, 177, 540.555483, 1693.4156}}) {
    PublishedSolver solver(smoke_flow(row.k));
    auto state = resting_state<float>({});
    StepReport report;
    for (int i = 0; i <= row.step; ++i) report = solver.step(state);
    EXPECT_EQ(report.iterations, row.iterations);
    EXPECT_NEAR(kinetic_energy(state) / row.energy, 1, 1e-8);
    EXPECT_NEAR(smoke_mass(state), row.mass, 6e-5);
  }
}

TEST(PublishedSolver, PlumesMoveAwayFromTheirSide) {
  // The mean of one component over a window before the inflow, at frames 5 and 20: k, component,
  // first row, first column, and what the generator gives.
  struct Window {
    int k, component, row, column;
    double at_5, at_20;
  };
  for (const Window& w :
       {Window{1, 1, 5, 27, 0.050626, 0.611687}, Window{2, 0, 27, 49, -0.088296, -1.189692},
        Window{3, 1, 49, 27, -0.146627, -1.625486}, Window{4, 0, 27, 5, 0.203932, 1.610067}}) {
    const io::Array array = simulate_smoke(w.k, 20);
    const auto numbers = io::view<float>(array);
    const auto mean = [&](int frame) {
      double sum = 0;
      for (int y = w.row; y < w.row + 10; ++y) {
        for (int x = w.column; x < w.column + 10; ++x) {
          sum += numbers[(((frame - 1) * 2 + w.component) * 64 + y) * 64 + x];
        }
      }
      return sum / 100;
    };
    EXPECT_NEAR(mean(5), w.at_5, 1e-6) << w.k;
    EXPECT_NEAR(mean(20), w.at_20, 1e-6) << w.k;
  }
}

TEST(PublishedSolver, AgreesWithTheExactProjectionOnOtherGrids) {
  const Flow flow = plume();
  PublishedSolver published(flow);
  SymmetricSolver symmetric(flow);
  auto state = resting_state<float>(flow.grid);
  auto wide = resting_state<double>(flow.grid);
  for (int step = 0; step < 12; ++step) {
    EXPECT_GT(published.step(state).iterations, 0);
    EXPECT_EQ(symmetric.step(wide).iterations, 0);
    EXPECT_LT(velocity_distance(state, wide), 5e-5) << step;
    EXPECT_NEAR(smoke_mass(state) / smoke_mass(wide), 1, 1e-5);
  }
  check(state);
}

TEST(PublishedSolver, ASolverServesManySimulationsAndOthersDoNotDisturbIt) {
  const Flow flow = smoke_flow(2);
  PublishedSolver solver(flow);
  auto first = resting_state<float>(flow.grid), second = first;
  solver.step(first);
  solver.step(second);
  EXPECT_EQ(first, second);
}

#ifdef __SSE2__
TEST(PublishedSolver, AProcessThatFlushesSubnormalNumbersGetsTheSameBytes) {
  constexpr unsigned kFlush = 0x8040;
  const auto energy_of_little = [] {
    Flow flow = plume();
    flow.force_x = 1e-30;
    flow.force_y = 3e-30;
    PublishedSolver solver(flow);
    auto state = random_state<float>(flow.grid, 0.0, 2);
    for (float& value : state.smoke) value *= 1e-9f;
    for (int i = 0; i < 3; ++i) solver.step(state);
    return state;
  };
  const auto plain = energy_of_little();
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | kFlush);
  const auto flushed = energy_of_little();
  const unsigned during = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(during & kFlush, kFlush) << "the caller's arithmetic is left as it was";
  EXPECT_EQ(plain, flushed);
}
#endif

}  // namespace
}  // namespace algprior::fluid
