#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/learned.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/step.hpp"
#include "algprior/train/trainer.hpp"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

namespace algprior {
namespace {

struct TinyImpl : torch::nn::Module {
  explicit TinyImpl(std::int64_t outputs) {
    encoder = register_module("encoder", torch::nn::Linear(6, 4));
    decoder = register_module("decoder", torch::nn::Linear(4, outputs));
  }
  torch::nn::Linear encoder{nullptr}, decoder{nullptr};
};

Network tiny_network(std::int64_t outputs, bool joint) {
  const auto net = std::make_shared<TinyImpl>(outputs);
  const auto encode = [net](const at::Tensor& x) {
    return std::vector<at::Tensor>{net->encoder(x).tanh()};
  };
  const auto decode = [net](const at::Tensor& z, std::size_t) { return net->decoder(z); };
  return make_network({.module = net,
                       .forward =
                           [=](const at::Tensor& x) {
                             const auto z = encode(x);
                             return Encoded{decode(z[0], 0), z};
                           },
                       .decode = decode,
                       .encode = joint ? Network::Encode(encode) : Network::Encode()});
}

Batch tiny_batch() {
  torch::manual_seed(3);
  return {torch::randn({10, 6}), torch::randn({10, 6}), torch::randint(3, {10}, torch::kLong),
          torch::randint(3, {10}, torch::kLong), torch::randint(4, {10}, torch::kLong)};
}

LearnedPrior tiny_prior(LearnedPriorWeights weights = {0.5, 1.0, 1.0, 1.0}) {
  const auto group = make_group("C4");
  return {LearnedRepresentation(group, LearnedRepresentationOptions{.dimension = 4}),
          AlgebraLoss(group, {.regulariser = Regulariser::inverse}), weights};
}

Step learned_step(const LearnedPrior& prior) {
  return make_step({.task = reconstruct(), .weights = kReferencePairWeights, .learned = prior});
}

TEST(LearnedStep, IsLOptForAutoencoders) {
  const auto prior = tiny_prior({0.7, 1.0, 1.0, 1.0});
  const auto network = tiny_network(6, false);
  const auto batch = tiny_batch();
  const auto terms = learned_step(prior)(network, batch);
  const auto first = network.forward(batch.x), second = network.forward(batch.gx);
  const auto moved = prior.representation()->apply(batch.g, first.latents[0]);
  const auto mse = [](const at::Tensor& a, const at::Tensor& b) {
    return (a - b).square().mean().item<double>();
  };
  const auto value = [&](const char* name) { return terms.find(name)->value.item<double>(); };
  EXPECT_NEAR(value("task"), mse(first.output, batch.x), 1e-5);
  EXPECT_NEAR(value("latent_to_output"), mse(network.decode(moved, 0), batch.gx), 1e-5);
  EXPECT_NEAR(value("equivariance"), mse(moved, second.latents[0]), 1e-5);
  EXPECT_EQ(terms.find("task_shifted"), nullptr);
  EXPECT_EQ(terms.find("latent_to_output")->weight, 0.7);
  EXPECT_EQ(terms.all().size(), 5U);
}

TEST(LearnedStep, OneJointPassGivesWhatSeparateOnesGive) {
  for (const Task& task : {reconstruct(), classify()}) {
    const std::int64_t outputs = task.of_input ? 6 : 3;
    const auto separate = tiny_network(outputs, false), joint = tiny_network(outputs, true);
    set_weights(*joint.module, weights_of(*separate.module));
    const auto prior = tiny_prior();
    const auto step = make_step({.task = task, .weights = {0.5, 0.5}, .learned = prior});
    const auto batch = tiny_batch();
    const auto one = step(separate, batch), two = step(joint, batch);
    ASSERT_EQ(one.all().size(), 6U);
    for (const auto& term : one.all()) {
      EXPECT_TRUE(at::allclose(two.find(term.name)->value, term.value, 1e-4, 1e-6)) << term.name;
    }
    one.total().backward();
    two.total().backward();
    const auto first = separate.module->named_parameters(),
               second = joint.module->named_parameters();
    for (const auto& item : first) {
      EXPECT_TRUE(at::allclose(item.value().grad(), second[item.key()].grad(), 1e-3, 1e-5))
          << item.key();
    }
  }
}

// Trap 27: softmax before the cross-entropy nearly freezes the task loss.
TEST(LearnedStep, SoftmaxTwiceConfinesTheLoss) {
  const auto labels = at::arange(10, at::kLong);
  const Task twice = classify_softmax_twice();
  const auto right = 100 * at::eye(10), wrong = 100 * at::eye(10).roll(1, 0);
  EXPECT_NEAR(twice.loss(right, labels).item<double>(), 2.172, 2e-3);
  EXPECT_NEAR(twice.loss(wrong, labels).item<double>(), 2.318, 2e-2);
  EXPECT_LT(classification_loss(right, labels).item<double>(), 1e-6);
  const auto logits = torch::randn({10, 10}, torch::requires_grad());
  twice.loss(logits, labels).backward();
  const auto frozen = logits.grad().norm().item<double>();
  logits.mutable_grad() = at::Tensor();
  classification_loss(logits, labels).backward();
  EXPECT_LT(frozen, 0.05 * logits.grad().norm().item<double>());
}

TEST(LearnedStep, NeedsPairsAndADecoder) {
  const auto step = learned_step(tiny_prior());
  auto batch = tiny_batch();
  auto network = tiny_network(6, true);
  network.decode = {};
  EXPECT_THROW(step(network, batch), InputError);
  batch.gx = at::Tensor();
  EXPECT_THROW(step(tiny_network(6, true), batch), InputError);
  EXPECT_THROW(make_step({.task = reconstruct(),
                          .weights = kReferencePairWeights,
                          .learned = tiny_prior(),
                          .layer = 1})(tiny_network(6, true), tiny_batch()),
               InputError);
}

TEST(LearnedStep, TrainsTheRepresentationWithTheNetworkAndIsObserved) {
  const auto prior = tiny_prior();
  const auto plain = tiny_network(6, true);
  const auto network = with_representation(plain, prior.representation());
  const auto names = network.module->named_parameters();
  EXPECT_TRUE(names.contains("representation.r"));
  EXPECT_TRUE(names.contains("network.encoder.weight"));
  const auto before = prior.representation()->generators()[0].detach().clone();
  const auto data = make_dataset("pairs", 40, [](const at::Tensor& indices, const RandomKey&) {
    const auto x = indices.to(at::kFloat).unsqueeze(1).mul(0.3) + at::arange(6, at::kFloat);
    return Batch{x.sin(), x.cos(), {}, {}, indices.remainder(4)};
  });
  TrainerOptions options;
  options.epochs = 2;
  options.batch_size = 10;
  Trainer trainer(network, learned_step(prior), data, {}, options);
  std::vector<std::int64_t> seen;
  trainer.observe_steps([&](std::int64_t steps) { seen.push_back(steps); });
  trainer.run();
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_FALSE(at::equal(before, prior.representation()->generators()[0]));
}

TEST(LearnedStep, ADivergedRepresentationStopsTheRunByName) {
  const auto group = make_group("C4");
  const LearnedRepresentation rho(group, std::vector{at::zeros({4, 4})});
  const LearnedPrior prior(rho, AlgebraLoss(group, {.regulariser = Regulariser::inverse}));
  EXPECT_THROW(learned_step(prior)(tiny_network(6, true), tiny_batch()), DivergedError);
}

TEST(RepresentationFile, ComesBackToTheBitAndKnowsItsGroup) {
  const auto path = std::filesystem::path(testing::TempDir()) / "learned.safetensors";
  const auto group = make_group("D3");
  const LearnedRepresentation rho(group, LearnedRepresentationOptions{.dimension = 5});
  save_representation(rho, path);
  const auto back = load_representation(group, path);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_TRUE(at::equal(back->generators()[k], rho->generators()[k]));
  }
  EXPECT_THROW(load_representation(make_group("D4"), path), InputError);
  EXPECT_THROW(load_representation(make_group("C3"), path), InputError);
  EXPECT_THROW(load_representation(group, path.string() + ".missing"), FileError);
}

}  // namespace
}  // namespace algprior
