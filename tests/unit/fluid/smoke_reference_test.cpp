// Single steps from the real generator's own states, which chaos cannot spoil. The states are in
// the folder smoke/ of ALGPRIOR_DATA: detail_(k).npz and checkpoints_(k).npz.
#include "algprior/base/paths.hpp"
#include "algprior/io/npy.hpp"
#include "flows.hpp"
#include "generator.hpp"

#include <optional>

namespace algprior::fluid {
namespace {

std::optional<io::NamedArrays> recorded(const std::string& name) {
  for (const auto& folder : data_folders()) {
    const auto path = folder / "smoke" / name;
    if (std::filesystem::exists(path)) return io::read_npz(path);
  }
  return std::nullopt;
}

/// A state from smoke [y, x], u [y, interior x-faces], v [interior y-faces, x].
State<float> to_state(std::span<const float> smoke, std::span<const float> u,
                      std::span<const float> v) {
  State<float> state = resting_state<float>({});
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      state.smoke[state.smoke_at(x, y)] = smoke[y * 64 + x];
      if (x > 0) state.u[state.u_at(x, y)] = u[y * 63 + x - 1];
      if (y > 0) state.v[state.v_at(x, y)] = v[(y - 1) * 64 + x];
    }
  }
  return state;
}

State<float> checkpoint(const io::NamedArrays& arrays, int step) {
  const auto field = [&](const char* name) {
    return io::view<float>(arrays.at(name + ("_" + std::to_string(step))));
  };
  return to_state(field("smoke"), field("u"), field("v"));
}

void expect_one_step(int k, const State<float>& before, const State<float>& after) {
  State<float> state = before;
  PublishedSolver(smoke_flow(k)).step(state);
  EXPECT_EQ(state, after);

  State<double> wide = to_double(before);
  SymmetricSolver(smoke_flow(k)).step(wide);
  EXPECT_LT(velocity_distance(wide, after), 1e-4);
  const double tallest = *std::max_element(after.smoke.begin(), after.smoke.end());
  int far = 0;
  for (std::size_t i = 0; i < after.smoke.size(); ++i) {
    far += std::abs(wide.smoke[i] - after.smoke[i]) > 1e-5 * tallest;
  }
  EXPECT_LE(far, 3) << "cells whose clamp fell on the other side";
}

TEST(SmokeReference, OneStepFromTheGeneratorsCheckpoints) {
  int compared = 0;
  for (int k = 1; k <= 4; ++k) {
    const auto arrays = recorded("checkpoints_" + std::to_string(k) + ".npz");
    if (!arrays) continue;
    for (const int step : {50, 100, 200, 300}) {
      SCOPED_TRACE("k " + std::to_string(k) + ", step " + std::to_string(step));
      expect_one_step(k, checkpoint(*arrays, step), checkpoint(*arrays, step + 1));
      ++compared;
    }
  }
  if (compared == 0) GTEST_SKIP() << "no smoke/checkpoints_(k).npz in ALGPRIOR_DATA";
}

TEST(SmokeReference, EachOfTheFirstStepsFromTheOneBefore) {
  int compared = 0;
  for (int k = 1; k <= 2; ++k) {
    const auto arrays = recorded("detail_" + std::to_string(k) + ".npz");
    if (!arrays) continue;
    const auto at = [&](int step) {
      const auto field = [&](const char* name, int size) {
        return io::view<float>(arrays->at(name)).subspan(step * size, size);
      };
      return to_state(field("smoke", 4096), field("u", 4032), field("v", 4032));
    };
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE("k " + std::to_string(k) + ", step " + std::to_string(step));
      expect_one_step(k, at(step), at(step + 1));
      ++compared;
    }
  }
  if (compared == 0) GTEST_SKIP() << "no smoke/detail_(k).npz in ALGPRIOR_DATA";
}

TEST(SmokeReference, TheExactProjectionFollowsTheGeneratorForTwentyFrames) {
  for (const int k : {1, 17, 36}) {
    const Flow flow = smoke_flow(k);
    PublishedSolver published(flow);
    SymmetricSolver symmetric(flow);
    auto state = resting_state<float>(flow.grid);
    auto wide = resting_state<double>(flow.grid);
    for (int step = 0; step <= 20; ++step) {
      published.step(state);
      symmetric.step(wide);
      EXPECT_LT(velocity_distance(wide, state), 2e-5) << "k " << k << ", step " << step;
      EXPECT_NEAR(smoke_mass(wide) / smoke_mass(state), 1, 1e-5);
    }
  }
}

}  // namespace
}  // namespace algprior::fluid
