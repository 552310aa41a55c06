#include "algprior/train/optimizer.hpp"

#include "../../kernels_for_now.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/early_stopping.hpp"
#include "algprior/train/schedule.hpp"
#include "toy.hpp"

#include <gtest/gtest.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>

namespace algprior {
namespace {

at::Tensor loss_of(const Network& network, std::uint32_t epoch) {
  const auto batch = toy::dataset().get(at::arange(50, at::kLong), RandomKey(0).at(epoch));
  return at::cross_entropy_loss(network.forward(batch.x).output, batch.y);
}

// Twenty steps of ours beside LibTorch's own optimizer: under Kernels::torch the same bits, by the
// kernel the same numbers up to rounding.
template <class Theirs>
void expect_agreement(Kernels choice, const AdamOptions& options, Theirs&& make_theirs) {
  const KernelsForNow scope(choice);
  const auto ours = toy::network(1);
  const auto theirs = toy::network(1);
  ours.module->eval();
  theirs.module->eval();
  Adam adam(*ours.module, options);
  auto reference = make_theirs(theirs.module->parameters());
  for (std::uint32_t k = 0; k < 20; ++k) {
    adam.zero_gradients();
    loss_of(ours, k).backward();
    adam.step();
    reference.zero_grad();
    loss_of(theirs, k).backward();
    reference.step();
  }
  const auto expected = weights_of(*theirs.module);
  for (const auto& [name, tensor] : weights_of(*ours.module)) {
    const auto& other = expected.at(name);
    EXPECT_TRUE(choice == Kernels::torch ? at::equal(tensor, other)
                                         : at::allclose(tensor, other, 1e-4, 1e-6))
        << name;
  }
}

TEST(Adam, IsLibTorchs) {
  for (const auto choice : {Kernels::torch, Kernels::native}) {
    AdamOptions options;
    options.learning_rate = 0.01;
    expect_agreement(choice, options, [](auto parameters) {
      return torch::optim::Adam(parameters, torch::optim::AdamOptions(0.01));
    });
    options.weight_decay = 0.1;
    expect_agreement(choice, options, [](auto parameters) {
      return torch::optim::Adam(parameters, torch::optim::AdamOptions(0.01).weight_decay(0.1));
    });
    options.decoupled = true;
    expect_agreement(choice, options, [](auto parameters) {
      return torch::optim::AdamW(parameters, torch::optim::AdamWOptions(0.01).weight_decay(0.1));
    });
  }
}

TEST(Adam, ParametersAndGradientsAreViewsOfOneBuffer) {
  const auto network = toy::network(1);
  Adam adam(*network.module, AdamOptions{});
  for (int k = 0; k < 2; ++k) {
    adam.zero_gradients();
    loss_of(network, 0).backward();
    adam.step();
  }
  const auto parameters = network.module->parameters();
  for (const auto& parameter : parameters) {
    EXPECT_TRUE(parameter.storage().is_alias_of(parameters[0].storage()));
    EXPECT_TRUE(parameter.grad().storage().is_alias_of(parameters[0].grad().storage()));
  }
}

TEST(Adam, LeavesAloneWhatNeverHadAGradient) {
  auto module = std::make_shared<torch::nn::Module>();
  const auto used = module->register_parameter("a", torch::ones({3}));
  const auto unused = module->register_parameter("b", torch::ones({3}));
  const auto last = module->register_parameter("c", torch::ones({3}));
  AdamOptions options;
  options.weight_decay = 0.5;
  options.decoupled = true;
  Adam adam(*module, options);
  (used.sum() + last.sum()).backward();
  adam.step();
  EXPECT_TRUE(at::equal(unused, torch::ones({3})));
  EXPECT_LT(used[0].item<float>(), 1.0F);
  EXPECT_TRUE(at::equal(used, last));
}

TEST(Adam, TakesReplacedTensorsInAgain) {
  const auto a = toy::network(1);
  const auto b = toy::network(1);
  a.module->eval();
  b.module->eval();
  Adam first(*a.module, AdamOptions{});
  Adam second(*b.module, AdamOptions{});
  for (std::uint32_t k = 0; k < 3; ++k) {
    for (auto& parameter : b.module->parameters()) {
      parameter.set_data(parameter.detach().clone());
      parameter.mutable_grad() = at::Tensor();
    }
    first.zero_gradients();
    second.zero_gradients();
    loss_of(a, k).backward();
    loss_of(b, k).backward();
    first.step();
    second.step();
  }
  const auto expected = weights_of(*a.module);
  for (const auto& [name, tensor] : weights_of(*b.module))
    EXPECT_TRUE(at::equal(tensor, expected.at(name))) << name;
  b.module->to(at::kDouble);
  EXPECT_THROW(second.step(), InputError);
}

TEST(Adam, SharedParametersLearnOnce) {
  const auto weight = torch::ones({2}).requires_grad_();
  auto module = std::make_shared<torch::nn::Module>();
  module->register_parameter("a", weight);
  module->register_parameter("b", weight);
  Adam adam(*module, AdamOptions{});
  weight.sum().backward();
  adam.step();
  EXPECT_NEAR(weight[0].item<double>(), 1.0 - 1e-3, 1e-6);
  EXPECT_EQ(adam.state().size(), 3U);
}

TEST(Adam, GroupsLearnAtTheirOwnRates) {
  const auto network = toy::network(1);
  AdamOptions frozen;
  frozen.learning_rate = 0.0;
  Adam adam(*network.module, {{"", {}}, {"head.", frozen}});
  const auto before = weights_of(*network.module);
  loss_of(network, 0).backward();
  adam.step();
  const auto after = weights_of(*network.module);
  EXPECT_TRUE(at::equal(before.at("head.weight"), after.at("head.weight")));
  EXPECT_FALSE(at::equal(before.at("first.weight"), after.at("first.weight")));
  EXPECT_THROW(Adam(*network.module, {{"", {}}, {"haed.", {}}}), InputError);
  EXPECT_THROW(Adam(*network.module, {{"head.", {}}}), InputError);
  AdamOptions wrong;
  wrong.beta1 = 1.0;
  EXPECT_THROW(Adam(*network.module, wrong), InputError);
}

TEST(Adam, StateComesBackToTheBit) {
  const auto a = toy::network(1);
  const auto b = toy::network(1);
  a.module->eval();
  b.module->eval();
  Adam first(*a.module, AdamOptions{});
  for (std::uint32_t k = 0; k < 5; ++k) {
    first.zero_gradients();
    loss_of(a, k).backward();
    first.step();
  }
  set_weights(*b.module, weights_of(*a.module));
  Adam second(*b.module, AdamOptions{});
  second.set_state(first.state());
  EXPECT_EQ(second.steps(), 5);
  for (auto* pair : {&first, &second}) pair->zero_gradients();
  loss_of(a, 7).backward();
  loss_of(b, 7).backward();
  first.step(0.5);
  second.step(0.5);
  EXPECT_TRUE(at::equal(weights_of(*a.module).at("latent.weight"),
                        weights_of(*b.module).at("latent.weight")));
  auto state = first.state();
  state.erase("first/head.bias");
  EXPECT_THROW(second.set_state(state), InputError);
}

TEST(Schedule, ShapesAndWarmUp) {
  Schedule schedule;
  EXPECT_EQ(learning_rate_factor(schedule, 7, 10, 700), 1.0);
  schedule.shape = Schedule::Shape::step;
  EXPECT_EQ(learning_rate_factor(schedule, 0, 10, 0), 1.0);
  EXPECT_NEAR(learning_rate_factor(schedule, 3, 10, 0), 0.95 * 0.95 * 0.95, 1e-12);
  schedule.shape = Schedule::Shape::cosine;
  schedule.floor = 0.1;
  EXPECT_EQ(learning_rate_factor(schedule, 0, 10, 0), 1.0);
  EXPECT_NEAR(learning_rate_factor(schedule, 5, 10, 0), 0.55, 1e-12);
  schedule.warmup_steps = 4;
  EXPECT_NEAR(learning_rate_factor(schedule, 0, 10, 0), 0.25, 1e-12);
  EXPECT_NEAR(learning_rate_factor(schedule, 0, 10, 3), 1.0, 1e-12);
  schedule.gamma = 0.0;
  EXPECT_THROW(learning_rate_factor(schedule, 0, 10, 0), InputError);
}

TEST(EarlyStopping, WantsStrictImprovement) {
  EarlyStopping stopping;
  stopping.patience = 2;
  EXPECT_TRUE(stopping.update(0.5, 1));
  EXPECT_FALSE(stopping.update(0.5, 2));
  EXPECT_TRUE(stopping.update(0.6, 3));
  EXPECT_FALSE(stopping.update(0.6, 4));
  EXPECT_FALSE(stopping.should_stop());
  EXPECT_FALSE(stopping.update(std::nan(""), 5));
  EXPECT_TRUE(stopping.should_stop());
  EXPECT_EQ(stopping.best_epoch, 3);
  EarlyStopping loss;
  loss.larger_is_better = false;
  loss.min_delta = 0.1;
  EXPECT_TRUE(loss.update(1.0, 1));
  EXPECT_FALSE(loss.update(0.95, 2));
  EXPECT_TRUE(loss.update(0.8, 3));
}

TEST(EarlyStopping, TiesGoToTheLowerSecondNumberAndLeavePatienceAlone) {
  EarlyStopping stopping;
  stopping.patience = 3;
  EXPECT_TRUE(stopping.update(0.9, 1, 0.5));
  EXPECT_TRUE(stopping.update(0.9, 2, 0.4));
  EXPECT_EQ(stopping.best_epoch, 2);
  EXPECT_FALSE(stopping.update(0.9, 3, 0.45));
  EXPECT_EQ(stopping.stale, 2);
  EXPECT_TRUE(stopping.update(0.9, 4, 0.3));
  EXPECT_TRUE(stopping.should_stop());
  EXPECT_FALSE(stopping.update(0.8, 5, 0.1));
  EXPECT_TRUE(stopping.update(0.95, 6, 0.9));
  EXPECT_FALSE(stopping.update(0.95, 7));  // nothing to decide by
  EXPECT_FALSE(stopping.update(0.95, 8, std::nan("")));
  EXPECT_EQ(stopping.best_epoch, 6);
}

}  // namespace
}  // namespace algprior
