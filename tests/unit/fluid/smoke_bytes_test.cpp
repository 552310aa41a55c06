// Whole simulations are the published generator's, byte for byte.
#include "algprior/base/parallel.hpp"
#include "generator.hpp"

namespace algprior::fluid {
namespace {

TEST(SmokeBytes, TheFirstSixSimulations) {
  std::vector<std::string> found(6);
  parallel_for(6, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      found[i] = io::sha256(simulate_smoke(static_cast<int>(i) + 1).bytes);
    }
  });
  for (int k = 1; k <= 6; ++k) {
    EXPECT_EQ(found[k - 1], generator().at("whole").at(std::to_string(k)).get<std::string>()) << k;
  }
}

TEST(SmokeBytes, StatesOnTheWay) {
  EXPECT_EQ(expect_generator_states(1, 302), 21);
  EXPECT_EQ(expect_generator_states(4, 302), 8);
}

TEST(SmokeBytes, AnExactSolverEndsElsewhere) {
  // Why the rounding of the generator is part of the data: without it the plume stays symmetric.
  const Flow flow = smoke_flow(1);
  PublishedSolver published(flow);
  SymmetricSolver symmetric(flow);
  auto state = resting_state<float>(flow.grid);
  auto wide = resting_state<double>(flow.grid);
  for (int step = 0; step <= 300; ++step) {
    published.step(state);
    symmetric.step(wide);
  }
  EXPECT_NEAR(smoke_mass(state), 102520.4293, 1e-3);
  EXPECT_NEAR(smoke_mass(wide) / smoke_mass(state), 0.35, 0.05);
}

}  // namespace
}  // namespace algprior::fluid
