#include "algprior/train/running_averages.hpp"

#include "algprior/base/error.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/weights.hpp"
#include "toy.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

const RandomKey kKey(0, "running averages");

// What the batch norm of the toy network sees.
at::Tensor inputs_of(const Network& network, const at::Tensor& x) {
  const at::NoGradGuard no_gradient;
  return std::dynamic_pointer_cast<toy::NetImpl>(network.module)->first->forward(x);
}

const torch::nn::BatchNorm1d& norm_of(const Network& network) {
  return std::dynamic_pointer_cast<toy::NetImpl>(network.module)->norm;
}

// Two far apart halves, in order: batches that are not shuffled would miss their distance.
Dataset two_halves(std::int64_t size) {
  const auto x = toy::dataset(size).get(at::arange(size), kKey).x;
  const auto shift = at::arange(size).ge(size / 2).to(at::kFloat).mul(10).unsqueeze(1);
  return make_tensor_dataset("halves", {x + shift, at::zeros({size}, at::kLong)});
}

TEST(RunningAverages, OfOneBatchAreItsMoments) {
  const auto network = toy::network(1);
  const auto data = two_halves(100);
  const auto seen = inputs_of(network, data.get(at::arange(100), kKey).x);
  norm_of(network)->running_mean.fill_(99.0);
  refresh_running_averages(network, data, kKey, 100);
  EXPECT_TRUE(at::allclose(norm_of(network)->running_mean, seen.mean(0), 1e-5, 1e-5));
  EXPECT_TRUE(at::allclose(norm_of(network)->running_var, seen.var(0), 1e-5, 1e-5));
}

TEST(RunningAverages, WeighEverySampleAlikeAndShuffle) {
  const auto network = toy::network(1);
  const auto data = two_halves(1000);
  const auto seen = inputs_of(network, data.get(at::arange(1000), kKey).x);
  refresh_running_averages(network, data, kKey, 300);  // the last batch holds 100
  EXPECT_TRUE(at::allclose(norm_of(network)->running_mean, seen.mean(0), 1e-4, 1e-4));
  EXPECT_TRUE(at::allclose(norm_of(network)->running_var, seen.var(0), 0.02, 0.0));
}

TEST(RunningAverages, ChangeNothingElse) {
  const auto network = toy::network(1);
  network.module->eval();
  const auto momentum = norm_of(network)->options.momentum();
  const NamedTensors before = weights_of(*network.module);
  refresh_running_averages(network, toy::dataset(), kKey, 30);
  EXPECT_FALSE(network.module->is_training());
  EXPECT_EQ(norm_of(network)->options.momentum(), momentum);
  for (const auto& [name, tensor] : weights_of(*network.module)) {
    const bool average =
        name.find("running") != std::string::npos || name.find("tracked") != std::string::npos;
    EXPECT_EQ(at::equal(tensor, before.at(name)), !average) << name;
  }
}

// The blocks of convolutions hold batch norms of their own; what they see depends on the ones
// before, which training mode normalises by the batch.
TEST(RunningAverages, ReachTheBatchNormsOfBlocks) {
  const auto network = nn::make_ddmnist_network(1);
  torch::manual_seed(4);
  const TensorData images{at::randn({40, 1, 56, 56}) + 3.0, at::zeros({40}, at::kLong)};
  refresh_running_averages(network, make_tensor_dataset("noise", images), kKey, 40);
  network.module->eval();
  const at::NoGradGuard no_gradient;
  const auto evaluated = network.forward(images.x).output;
  network.module->train();
  const auto trained = network.forward(images.x).output;
  EXPECT_TRUE(at::allclose(evaluated, trained, 0.1, 0.1));
}

TEST(RunningAverages, NeedABatchNorm) {
  const auto plain = std::make_shared<torch::nn::LinearImpl>(4, 3);
  const auto network = make_network({.module = plain, .forward = [plain](const at::Tensor& x) {
                                       return Encoded{plain->forward(x), {x}};
                                     }});
  try {
    refresh_running_averages(network, toy::dataset(), kKey);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("batch norm"), std::string::npos);
  }
}

}  // namespace
}  // namespace algprior
