#pragma once

#include "algprior/fluid/smoke.hpp"
#include "algprior/fluid/solver.hpp"
#include "algprior/io/checksum.hpp"

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior::fluid {

/// What oracles/python/smoke_fixtures.py says of the real generator.
inline const nlohmann::json& generator() {
  static const nlohmann::json document = [] {
    std::ifstream in(std::string(ALGPRIOR_TEST_DATA) + "/smoke.json");
    return nlohmann::json::parse(in);
  }();
  return document;
}

/// The hash of a state as that script takes it.
inline std::string state_hash(const State<float>& state) {
  std::vector<float> numbers(frame_size(state.grid));
  write_frame(state, numbers);
  for (int y = 0; y < state.grid.height; ++y) {
    for (int x = 0; x < state.grid.width; ++x) {
      numbers.push_back(state.smoke[state.smoke_at(x, y)]);
    }
  }
  for (float& value : numbers) value += 0.0f;  // no sign on zeros
  return io::sha256(std::as_bytes(std::span<const float>(numbers)));
}

/// Runs simulation k for some steps and compares every state that the script knows. Returns how
/// many there were.
inline int expect_generator_states(int k, int steps) {
  const auto& known = generator().at("states").at(std::to_string(k));
  const Flow flow = smoke_flow(k);
  PublishedSolver solver(flow);
  State<float> state = resting_state<float>(flow.grid);
  int compared = 0;
  for (int step = 0; step < steps; ++step) {
    solver.step(state);
    const auto wanted = known.find(std::to_string(step));
    if (wanted == known.end()) continue;
    EXPECT_EQ(state_hash(state), wanted->get<std::string>()) << "k " << k << ", step " << step;
    ++compared;
  }
  return compared;
}

}  // namespace algprior::fluid
