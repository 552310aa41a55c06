#include "algprior/data/flows.hpp"

#include "algprior/action/symmetry.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/fluids.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/train/step.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

// Frame f of simulation s is filled with 1000 s + f, its y-components with the negative.
at::Tensor numbered_frames(std::int64_t simulations, std::int64_t frames) {
  const auto number =
      1000 * at::arange(simulations).view({-1, 1}) + at::arange(frames).view({1, -1});
  const auto x = number.to(at::kFloat).view({simulations, frames, 1, 1, 1});
  return at::cat({x, -x}, 2).expand({simulations, frames, 2, 4, 4}).contiguous();
}

// Trap 16: channels are frame-major, and the oldest frame leaves at the front.
TEST(Flows, WindowsAreFrameMajor) {
  const Group c4 = make_group("C4");
  const Dataset data = make_flow_windows(
      "", numbered_frames(3, 20),
      {.simulations = {2, 0}, .first = 1, .last = 5, .stride = 2, .past = 3, .future = 2},
      velocity_action(c4));
  ASSERT_EQ(data.size, 4);  // two simulations, offsets 1 and 3
  const Batch batch = data.get(at::arange(4), RandomKey(0));
  const auto first = [&](const at::Tensor& x, std::int64_t sample, std::int64_t channel) {
    return x[sample][channel][0][0].item<float>();
  };
  EXPECT_EQ(first(batch.x, 0, 0), 2003);  // simulation 2, offset 1, two frames skipped
  EXPECT_EQ(first(batch.x, 0, 1), -2003);
  EXPECT_EQ(first(batch.x, 0, 4), 2005);
  EXPECT_EQ(first(batch.y, 0, 0), 2006);
  EXPECT_EQ(first(batch.y, 1, 2), 2009);
  EXPECT_EQ(first(batch.x, 2, 0), 3);
  const auto next = advance_frames(batch.x, flow_frame(batch.y, 0));
  EXPECT_EQ(first(next, 0, 0), 2004);
  EXPECT_EQ(first(next, 0, 5), -2006);
  EXPECT_THROW(make_flow_windows("", numbered_frames(1, 20),
                                 {.simulations = {0}, .first = 0, .last = 4, .past = 10},
                                 velocity_action(c4)),
               InputError);
  EXPECT_THROW(make_flow_windows("", numbered_frames(1, 20), {.simulations = {1}, .last = 1},
                                 velocity_action(c4)),
               InputError);
}

TEST(Flows, TheVelocityActionIsALeftAction) {
  for (const VectorSign sign : {VectorSign::physical, VectorSign::published}) {
    const Action action = velocity_action(make_group("C4"), sign);
    EXPECT_EQ(action_defect(action, at::randn({3, 6, 4, 4})), 0.0);
  }
  EXPECT_THROW(velocity_action(make_group("D4")), InputError);
}

// Trap 19: a plume in the left half that moves to the right is, turned by a quarter, one in the
// lower half (as displayed) that moves up, towards smaller rows.
TEST(Flows, ATurnedPlumeMovesTheWayItPoints) {
  const Group c4 = make_group("C4");
  at::Tensor x = at::zeros({1, 2, 8, 8});
  x.select(1, 0).slice(2, 0, 3).fill_(1.0);  // u_x = 1 in the left columns
  const at::Tensor turned = velocity_action(c4)(Element{1}, x)[0];
  EXPECT_EQ(turned[1].slice(0, 5, 8).max().item<float>(), -1.0F);  // v = −1 in the lowest rows
  EXPECT_EQ(turned[1].slice(0, 0, 5).abs().max().item<float>(), 0.0F);
  EXPECT_EQ(turned[0].abs().max().item<float>(), 0.0F);
  // Departure D-3 has the opposite sign.
  const auto published = velocity_action(c4, VectorSign::published)(Element{1}, x)[0];
  EXPECT_TRUE(at::equal(published, -turned));
}

// §6.4: ½ + ½ on the first frame, the sum over the others, through the whole rollout.
TEST(Flows, TheStepIsThePapers) {
  const Network network = nn::make_fluid_network(1, {.frames = 3, .hidden = 4, .side = 4});
  network.module->eval();  // without batch statistics every pass is a function of its input
  const auto data = make_flow_windows("", at::randn({2, 20, 2, 4, 4}),
                                      {.simulations = {0, 1}, .last = 3, .past = 3, .future = 3},
                                      velocity_action(make_group("C4")));
  const Batch batch = data.get(at::arange(6), RandomKey(1));
  const Step step =
      make_step({.task = regress(), .rollout = Rollout{3, advance_frames, flow_frame}});
  const Terms terms = step(network, batch);
  const auto mse = [](const at::Tensor& a, const at::Tensor& b) {
    return (a - b).square().mean().item<double>();
  };
  const auto y0 = network.forward(batch.x).output;
  const auto x1 = advance_frames(batch.x, y0);
  const auto y1 = network.forward(x1).output;
  const auto y2 = network.forward(advance_frames(x1, y1)).output;
  const double rollout = mse(y1, flow_frame(batch.y, 1)) + mse(y2, flow_frame(batch.y, 2));
  EXPECT_NEAR(terms.find("task")->value.item<double>(), mse(y0, flow_frame(batch.y, 0)), 1e-6);
  EXPECT_NEAR(terms.find("task_shifted")->value.item<double>(),
              mse(network.forward(batch.gx).output, flow_frame(batch.gy, 0)), 1e-6);
  EXPECT_NEAR(terms.find("rollout")->value.item<double>(), rollout, 1e-6);
  EXPECT_EQ(terms.find("rollout")->weight, 1.0);
  EXPECT_EQ(terms.find("task")->weight, 0.5);
}

TEST(Flows, NetworksHaveThePapersSizes) {
  EXPECT_EQ(parameter_count(nn::make_fluid_network(0)), 247850);
  EXPECT_EQ(parameter_count(nn::make_fluid_mlp(0)), 8324992);
}

}  // namespace
}  // namespace algprior
