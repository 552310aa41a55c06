#include "algprior/nn/network.hpp"

#include "algprior/base/error.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/seeded.hpp"
#include "algprior/nn/volumes.hpp"
#include "algprior/nn/weights.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <torch/nn/functional.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

namespace algprior {
namespace {

bool equal_weights(const torch::nn::Module& a, const torch::nn::Module& b) {
  const auto left = weights_of(a);
  const auto right = weights_of(b);
  if (left.size() != right.size()) return false;
  for (const auto& [name, tensor] : left) {
    if (!right.contains(name) || !at::equal(tensor, right.at(name))) return false;
  }
  return true;
}

TEST(DdmnistNetwork, HasThePapersShape) {
  const auto network = nn::make_ddmnist_network(0);
  EXPECT_EQ(parameter_count(network), 33742);
  const auto encoded = network.forward(at::randn({3, 1, 56, 56}));
  EXPECT_EQ(encoded.output.sizes(), (at::IntArrayRef{3, 100}));
  ASSERT_EQ(encoded.latents.size(), 1U);
  EXPECT_EQ(encoded.latents[0].sizes(), (at::IntArrayRef{3, 66}));
  // The original of Veefkind and Cesa has 48 latent coordinates.
  EXPECT_EQ(parameter_count(nn::make_ddmnist_network(0, {48, 100})), 33742 - 18 * (37 + 2 + 100));
}

TEST(DdmnistNetwork, RefusesImagesAndOptionsThatDoNotFit) {
  const auto network = nn::make_ddmnist_network(0);
  try {
    network.forward(at::zeros({2, 1, 28, 28}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("2 x 1 x 28 x 28"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("N x 1 x 56 x 56"), std::string::npos);
  }
  EXPECT_THROW(nn::make_ddmnist_network(0, {0, 100}), InputError);
  EXPECT_THROW(nn::make_ddmnist_network(0, {66, 1}), InputError);
}

TEST(DdmnistNetwork, TakesHiddenLayersBehindZ) {
  const Network plain = nn::make_ddmnist_network(1);
  const Network deep = nn::make_ddmnist_network(1, {.hidden = {256}});
  // 66·256 + 256 for the hidden layer, and a head of 256 instead of 66 inputs.
  EXPECT_EQ(parameter_count(deep), parameter_count(plain) + 66 * 256 + 256 + (256 - 66) * 100);
  EXPECT_EQ(plain.head, Head::coordinatewise);
  EXPECT_EQ(deep.head, Head::hidden);
  // Paired seeds: what stands before the head begins with the same weights.
  const auto x = at::rand({2, 1, 56, 56});
  EXPECT_TRUE(at::equal(plain.forward(x).latents.at(0), deep.forward(x).latents.at(0)));
  EXPECT_THROW(nn::make_ddmnist_network(1, {.hidden = {0}}), InputError);
}

TEST(DdmnistNetwork, ZMayBeAnEarlierGrid) {
  const auto x = at::rand({3, 1, 56, 56});
  const auto gx = at::rand({3, 1, 56, 56});
  const Network vector = nn::make_ddmnist_network(1);
  vector.module->eval();
  for (std::int64_t layer = 1; layer <= 5; ++layer) {
    const Network grid = nn::make_ddmnist_network(1, {.layer = layer});
    grid.module->eval();
    const Encoded encoded = grid.forward(x);
    EXPECT_EQ(encoded.latents.at(0).sizes().slice(1).vec(), grid.latent_shapes.at(0));
    EXPECT_TRUE(at::allclose(encoded.output, vector.forward(x).output, 1e-4, 1e-5)) << layer;
    EXPECT_TRUE(at::allclose(grid.decode(encoded.latents[0], 0), encoded.output, 1e-4, 1e-5));
    grid.module->train();
    const auto [first, second] = grid.forward_pair(x, gx);
    EXPECT_EQ(second.latents.at(0).sizes(), first.latents.at(0).sizes());
  }
  EXPECT_THROW(nn::make_ddmnist_network(1, {.layer = 6}), InputError);
}

TEST(DdmnistNetwork, WeightsFollowTheSeedAlone) {
  torch::manual_seed(5);
  const auto a = nn::make_ddmnist_network(7);
  const auto next = torch::rand({1}).item<float>();
  torch::manual_seed(5);
  EXPECT_EQ(torch::rand({1}).item<float>(), next);  // the global generator is left as it was
  const auto b = nn::make_ddmnist_network(7);
  EXPECT_TRUE(equal_weights(*a.module, *b.module));
  EXPECT_FALSE(equal_weights(*a.module, *nn::make_ddmnist_network(8).module));
}

TEST(DdmnistNetwork, LatentIsTakenBeforeNormAndActivation) {
  const auto network = nn::make_ddmnist_network(1);
  const auto encoded = network.forward(at::randn({16, 1, 56, 56}));
  const auto& z = encoded.latents[0];
  EXPECT_LT(z.min().item<float>(), 0.0F);
  EXPECT_TRUE(at::allclose(network.decode(z, 0), encoded.output, 1e-5, 1e-6));
  // Batch norm comes after z: it takes away scale and offset, up to its epsilon.
  const auto large = network.decode(1000.0 * z, 0);
  EXPECT_TRUE(at::allclose(network.decode(3000.0 * z + 1.0, 0), large, 1e-3, 1e-3));
  network.module->eval();
  EXPECT_FALSE(at::allclose(network.decode(3.0 * z + 1.0, 0), network.decode(z, 0), 1e-2, 1e-2));
}

/// The encoder from LibTorch's own functions, with the two choices that are easily got wrong.
at::Tensor encode_by_hand(const NamedTensors& weights, const at::Tensor& enlarged,
                          bool padding_counts) {
  namespace F = torch::nn::functional;
  at::Tensor value = enlarged;
  for (std::size_t i = 0; i < nn::kDdmnistRows.size(); ++i) {
    const auto& row = nn::kDdmnistRows[i];
    const auto weight = [&](const char* name) {
      return weights.at("blocks." + std::to_string(i) + "." + name);
    };
    value = at::conv2d(value, weight("conv.weight"), weight("conv.bias"), row.stride, row.padding);
    value = at::elu(at::batch_norm(value, weight("bn.weight"), weight("bn.bias"),
                                   weight("bn.running_mean"), weight("bn.running_var"), false, 0.1,
                                   1e-5, false));
    if (row.pool_kernel == 0) continue;
    value = F::avg_pool2d(value, F::AvgPool2dFuncOptions(row.pool_kernel)
                                     .stride(row.pool_stride)
                                     .padding(row.pool_padding)
                                     .count_include_pad(padding_counts));
  }
  return at::conv2d(value, weights.at("latent.weight"), weights.at("latent.bias")).flatten(1);
}

class DdmnistEncoder : public testing::Test {
 protected:
  void SetUp() override {
    torch::manual_seed(2);
    network_.forward(at::randn({16, 1, 56, 56}));  // running averages differ from their start
    network_.module->eval();
    x_ = at::randn({4, 1, 56, 56});
    z_ = network_.forward(x_).latents[0];
  }
  double gap(const at::Tensor& enlarged, bool padding_counts = true) const {
    const auto z = encode_by_hand(weights_of(*network_.module), enlarged, padding_counts);
    return (z - z_).abs().max().item<double>();
  }

  Network network_ = nn::make_ddmnist_network(4);
  at::Tensor x_, z_;
};

TEST_F(DdmnistEncoder, EnlargesByRepeatingTheFirstRowAndColumn) {
  EXPECT_LT(gap(at::upsample_nearest2d(x_, {57, 57})), 5e-6);
  EXPECT_LT(gap(at::replication_pad2d(x_, {1, 0, 1, 0})), 5e-6);
  EXPECT_GT(gap(at::replication_pad2d(x_, {0, 1, 0, 1})), 1e-4);
  EXPECT_GT(gap(at::upsample_bilinear2d(x_, {57, 57}, false)), 1e-4);
}

TEST_F(DdmnistEncoder, PaddingCountsInTheAverage) {
  EXPECT_GT(gap(at::upsample_nearest2d(x_, {57, 57}), false), 1e-4);
}

TEST(DdmnistNetwork, JointPassEqualsTwoPasses) {
  const auto x = at::randn({10, 1, 56, 56});
  const auto gx = 2.0 * at::randn({10, 1, 56, 56}) + 1.0;
  const auto joint = nn::make_ddmnist_network(3);
  auto separate = nn::make_ddmnist_network(3);
  separate.forward_pair = {};
  const auto [a, b] = encode_pair(joint, x, gx);
  const auto [c, d] = encode_pair(separate, x, gx);
  EXPECT_TRUE(at::allclose(a.output, c.output, 1e-4, 1e-4));
  EXPECT_TRUE(at::allclose(b.output, d.output, 1e-4, 1e-4));
  EXPECT_TRUE(at::allclose(a.latents[0], c.latents[0], 1e-4, 1e-5));
  EXPECT_TRUE(at::allclose(b.latents[0], d.latents[0], 1e-4, 1e-5));
  const auto left = weights_of(*joint.module);
  const auto right = weights_of(*separate.module);
  for (const auto& [name, tensor] : left) {
    EXPECT_TRUE(at::allclose(tensor, right.at(name), 1e-4, 1e-6)) << name;
  }
  // One pass over the concatenated batch mixes the statistics.
  auto mixed = nn::make_ddmnist_network(3).forward(at::cat({x, gx}, 0));
  EXPECT_FALSE(at::allclose(mixed.output.narrow(0, 0, 10), c.output, 1e-2, 1e-2));
}

TEST(Network, NeedsModuleAndForward) {
  const auto forward = [](const at::Tensor& x) { return Encoded{x, {}}; };
  EXPECT_THROW(make_network({.module = nullptr, .forward = forward}), InputError);
  EXPECT_THROW(
      make_network({.module = std::make_shared<torch::nn::LinearImpl>(1, 1), .forward = {}}),
      InputError);
}

TEST(Weights, GoOutAndInAsSafetensors) {
  const auto path = std::filesystem::path(testing::TempDir()) / "weights.safetensors";
  const auto a = nn::make_ddmnist_network(1);
  a.forward(at::randn({4, 1, 56, 56}));  // running averages differ from their start
  const auto b = nn::make_ddmnist_network(2);
  save_weights(*a.module, path);
  load_weights(*b.module, path);
  EXPECT_TRUE(equal_weights(*a.module, *b.module));
  const auto narrow = nn::make_ddmnist_network(2, {48, 100});
  const auto before = weights_of(*narrow.module);
  try {
    load_weights(*narrow.module, path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("head.weight is 100x66 instead of 100x48"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(at::equal(before.at("head.bias"), weights_of(*narrow.module).at("head.bias")));
  auto weights = weights_of(*a.module);
  weights.erase("head.bias");
  weights["other"] = at::zeros({1});
  try {
    set_weights(*a.module, weights);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("missing head.bias"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("left over other"), std::string::npos);
  }
}

TEST(VolumeNetwork, HasThePapersSizesAndTwoStreams) {
  EXPECT_EQ(parameter_count(nn::make_volume_network(0)), 141998);
  EXPECT_EQ(parameter_count(nn::make_volume_network(0, {.classes = 11})), 142439);
  EXPECT_EQ(parameter_count(nn::make_volume_network(0, {.width = 7})), 191942);
  // The joint pass gives what two passes in order give, running averages included.
  const auto joint = nn::make_volume_network(3), apart = nn::make_volume_network(3);
  torch::manual_seed(1);
  const auto x = at::randn({3, 1, 28, 28, 28}), gx = at::randn({3, 1, 28, 28, 28});
  const auto [first, second] = encode_pair(joint, x, gx);
  const auto one = apart.forward(x), two = apart.forward(gx);
  EXPECT_TRUE(at::allclose(first.output, one.output, 1e-3, 1e-4));
  EXPECT_TRUE(at::allclose(second.latents[0], two.latents[0], 1e-3, 1e-4));
  EXPECT_EQ(first.latents[0].sizes(), (at::IntArrayRef{3, 48}));
  const auto left = weights_of(*joint.module), right = weights_of(*apart.module);
  for (const auto& [name, tensor] : left) {
    EXPECT_TRUE(at::allclose(tensor.to(at::kDouble), right.at(name).to(at::kDouble), 1e-3, 1e-5))
        << name;
  }
  EXPECT_THROW(joint.forward(at::randn({1, 1, 28, 28, 27})), InputError);
  EXPECT_THROW(joint.forward(at::randn({1, 1, 20, 20, 20})), InputError);
}

}  // namespace
}  // namespace algprior
