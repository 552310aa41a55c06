#include "algprior/base/error.hpp"
#include "algprior/train/step.hpp"
#include "toy.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

// The toy without dropout and with a decoder; counts the passes through its encoder.
struct Counted {
  Network network;
  std::shared_ptr<int> passes = std::make_shared<int>(0);
};

Counted counted_network() {
  const SeededInitialisation seeded(2);
  const auto net = std::make_shared<toy::NetImpl>();
  net->eval();
  Counted counted;
  const auto decode = [net](const at::Tensor& z) { return net->head->forward(at::elu(z)); };
  counted.network =
      make_network({.module = net,
                    .forward =
                        [net, decode, passes = counted.passes](const at::Tensor& x) {
                          ++*passes;
                          const auto z = net->latent->forward(at::elu(net->first->forward(x)));
                          return Encoded{decode(z), {z}};
                        },
                    .decode = [decode](const at::Tensor& z, std::size_t) { return decode(z); }});
  return counted;
}

Batch augmented_batch(std::int64_t number) {
  Batch batch = toy::dataset().get(at::arange(40, at::kLong), RandomKey(0, "latent"));
  batch.number = number;
  return batch;
}

FixedPrior latent_prior() {
  return make_fixed_prior(regular_representation(make_group("C4")), 9, 0.3);
}

TEST(LatentAugmentation, IsTheTaskOnTheMovedLatents) {
  const auto [network, passes] = counted_network();
  const Batch batch = augmented_batch(0);
  const Terms terms =
      make_step({.fixed = latent_prior(), .latent = {.weight = 0.25}})(network, batch);
  EXPECT_EQ(*passes, 2);
  const auto z = network.forward(batch.x).latents.at(0);
  const auto moved = latent_action(regular_representation(make_group("C4")), 9)(batch.g, z);
  const auto expected = at::cross_entropy_loss(network.decode(moved, 0), batch.gy);
  ASSERT_NE(terms.find("latent_task"), nullptr);
  EXPECT_TRUE(at::equal(terms.find("latent_task")->value, expected));
  EXPECT_EQ(terms.find("latent_task")->weight, 0.25);
  EXPECT_NE(terms.find("equivariance"), nullptr);
  EXPECT_NE(terms.find("task_shifted"), nullptr);
}

TEST(LatentAugmentation, ReplacesTheSecondPassBetweenEveryKSteps) {
  const auto [network, passes] = counted_network();
  const Step step =
      make_step({.fixed = latent_prior(), .latent = {.weight = 0.5, .second_pass_every = 3}});
  for (std::int64_t number = 0; number < 6; ++number) {
    *passes = 0;
    const Terms terms = step(network, augmented_batch(number));
    const bool full = number % 3 == 0;
    EXPECT_EQ(*passes, full ? 2 : 1) << number;
    EXPECT_EQ(terms.find("equivariance") != nullptr, full);
    EXPECT_EQ(terms.find("task_shifted") != nullptr, full);
    EXPECT_NE(terms.find("latent_task"), nullptr);
    EXPECT_EQ(terms.find("task")->weight, 0.5);
  }
}

// With an exactly equivariant encoder the task in Z is the task on g·x.
TEST(LatentAugmentation, OfAnEquivariantEncoderIsTheTaskOnTheMovedSamples) {
  const SeededInitialisation seeded(3);
  const auto head = std::make_shared<torch::nn::LinearImpl>(4, 3);
  const Network network = make_network(
      {.module = head,
       .forward =
           [head](const at::Tensor& x) {
             return Encoded{head->forward(x), {x}};
           },
       .decode = [head](const at::Tensor& z, std::size_t) { return head->forward(z); }});
  const Terms terms =
      make_step({.fixed = make_fixed_prior(regular_representation(make_group("C4")), 4, 1.0),
                 .latent = {.weight = 1.0}})(network, augmented_batch(0));
  EXPECT_TRUE(at::equal(terms.find("latent_task")->value, terms.find("task_shifted")->value));
}

TEST(LatentAugmentation, RefusesWhatItCannotDo) {
  EXPECT_THROW(make_step({.latent = {.weight = 0.5}}), InputError);
  EXPECT_THROW(make_step({.fixed = latent_prior(), .latent = {.weight = -1.0}}), InputError);
  EXPECT_THROW(make_step({.fixed = latent_prior(), .latent = {.second_pass_every = 4}}),
               InputError);
  const Step step = make_step({.fixed = latent_prior(), .latent = {.weight = 0.5}});
  EXPECT_THROW(step(toy::network(1), augmented_batch(0)), InputError);  // without decode
}

}  // namespace
}  // namespace algprior
