// What cannot be simulated is refused by name, and what runs away is stopped with its step.
#include "algprior/base/error.hpp"
#include "flows.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace algprior::fluid {
namespace {

template <class Wanted, class Run>
std::string refusal_of(Run&& run) {
  try {
    run();
  } catch (const Wanted& error) {
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

TEST(FluidFlow, ImpossibleSettingsAreNamed) {
  const auto refused = [](auto change, const std::string& part) {
    Flow flow = plume();
    change(flow);
    expect_part(refusal_of<InputError>([&] { SymmetricSolver solver(flow); }), part);
    expect_part(refusal_of<InputError>([&] { PublishedSolver solver(flow); }), part);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([](Flow& s) { s.grid = {3, 20}; }, "3 x 20");
  refused([](Flow& s) { s.grid = {24, 5000}; }, "24 x 5000");
  refused([](Flow& s) { s.grid = {-24, 20}; }, "-24 x 20");
  refused([](Flow& s) { s.inflows[0].x = 24.5; }, "(24.5, 5.2)");
  refused([](Flow& s) { s.inflows[1].y = -1; }, "(18, -1)");
  refused([](Flow& s) { s.inflows[0] = {5, 5, 0.3, 1}; }, "radius 0.3");
  refused([&](Flow& s) { s.inflows[0].rate = nan; }, "nan");
  refused([&](Flow& s) { s.force_x = nan; }, "force_x");
  refused([](Flow& s) { s.force_y = INFINITY; }, "force_y");
  refused([](Flow& s) { s.time_step = 0; }, "time_step = 0");
  refused([&](Flow& s) { s.time_step = nan; }, "time_step");
  expect_part(refusal_of<InputError>([] { PublishedSolver solver(plume(Walls::kSlip)); }), "slip");
}

TEST(FluidFlow, AStateOfAnotherGridIsRefused) {
  PublishedSolver solver(plume());
  State<float> state = resting_state<float>({20, 24});
  expect_part(refusal_of<InputError>([&] { solver.step(state); }), "20 x 24");
  State<double> other = resting_state<double>({20, 24});
  expect_part(refusal_of<InputError>([&] { SymmetricSolver(plume()).step(other); }), "20 x 24");
}

TEST(FluidFlow, BrokenStatesAreRefused) {
  auto state = resting_state<double>({6, 5});
  check(state);
  state.u[0] = 1;
  expect_part(refusal_of<InputError>([&] { check(state); }), "walls");
  state.u[0] = 0;
  state.v[state.v_at(3, 5)] = 1;
  expect_part(refusal_of<InputError>([&] { check(state); }), "walls");
  state.v[state.v_at(3, 5)] = NAN;
  expect_part(refusal_of<InputError>([&] { check(state); }), "finite");
  state.v.pop_back();
  expect_part(refusal_of<InputError>([&] { check(state); }), "v");
}

TEST(FluidFlow, ASimulationThatRunsAwayStopsWithStepAndSetting) {
  Flow flow = plume();
  flow.force_y = 1e30;
  PublishedSolver solver(flow);
  auto state = resting_state<float>(flow.grid);
  const std::string text = refusal_of<DivergedError>([&] {
    for (int i = 0; i < 100; ++i) solver.step(state);
  });
  expect_part(text, "step 0");
  expect_part(text, "1e+30");
  flow.force_y = 1e300;
  SymmetricSolver exact(flow);
  auto wide = resting_state<double>(flow.grid);
  const std::string wide_text = refusal_of<DivergedError>([&] {
    wide.smoke.assign(wide.smoke.size(), 1e30);
    for (int i = 0; i < 100; ++i) exact.step(wide);
  });
  expect_part(wide_text, "step 0");
  expect_part(wide_text, "1e+300");
}

TEST(FluidFlow, SpeedsBeyondTheBoxAreSimulatedAllTheSame) {
  Flow flow = plume();
  auto fast = random_state<float>(flow.grid, 1e9, 4);
  PublishedSolver(flow).step(fast);
  auto wide = random_state<double>(flow.grid, 1e12, 4);
  SymmetricSolver(flow).step(wide);
  check(wide);
}

TEST(FluidFlow, InflowCoversTheCellsInItsRadius) {
  Flow flow;
  flow.inflows = {{32, 5, 5, 1}};
  double sum = 0;
  for (const double value : inflow_field(flow)) sum += value;
  EXPECT_EQ(sum, 80);
}

}  // namespace
}  // namespace algprior::fluid
