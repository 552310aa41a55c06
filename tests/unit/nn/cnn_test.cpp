#include "algprior/nn/cnn.hpp"

#include "algprior/base/error.hpp"
#include "algprior/nn/weights.hpp"

#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/types.h>

namespace algprior {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes with_batch(std::int64_t batch, const Sizes& sample) {
  Sizes shape{batch};
  shape.insert(shape.end(), sample.begin(), sample.end());
  return shape;
}

nn::CnnOptions small(const Sizes& sample) {
  nn::CnnOptions options;
  options.sample = sample;
  options.channels = {4, 6};
  options.latent = 5;
  options.classes = 3;
  return options;
}

TEST(Cnn, TakesSignalsImagesAndVolumesOfAnySize) {
  for (const Sizes& sample :
       {Sizes{2, 17}, Sizes{1, 8, 8}, Sizes{3, 9, 13}, Sizes{1, 6, 5, 7}, Sizes{2, 4, 4, 4}}) {
    const Network network = nn::make_cnn_network(1, small(sample));
    const auto encoded = network.forward(torch::randn(with_batch(3, sample)));
    EXPECT_EQ(encoded.output.sizes(), (at::IntArrayRef{3, 3}));
    EXPECT_EQ(encoded.latents.at(0).sizes(), (at::IntArrayRef{3, 5}));
    EXPECT_THROW(network.forward(torch::randn(with_batch(3, Sizes{7, 3}))), InputError);
  }
}

TEST(Cnn, HasOneBlockForEveryEntryAndTheSizesThatItSays) {
  nn::CnnOptions options = small({1, 12, 12});
  options.channels = {4, 6, 8};
  options.kernel = {5, 3, 1};
  options.stride = {2, 1, 1};
  options.pool = {0, 2, 1};
  const Network network = nn::make_cnn_network(1, options);
  const auto weights = weights_of(*network.module);
  EXPECT_EQ(weights.at("blocks.0.conv.weight").sizes(), (at::IntArrayRef{4, 1, 5, 5}));
  EXPECT_EQ(weights.at("blocks.1.conv.weight").sizes(), (at::IntArrayRef{6, 4, 3, 3}));
  EXPECT_EQ(weights.at("blocks.2.conv.weight").sizes(), (at::IntArrayRef{8, 6, 1, 1}));
  EXPECT_EQ(weights.at("latent.weight").sizes(), (at::IntArrayRef{5, 8}));
  options.norm = false;
  EXPECT_FALSE(weights_of(*nn::make_cnn_network(1, options).module).contains("blocks.0.bn.weight"));
}

TEST(Cnn, OneSeedOneNetworkAndPairsAsTwoPasses) {
  const auto options = small({1, 10, 10});
  const Network a = nn::make_cnn_network(7, options), b = nn::make_cnn_network(7, options);
  const auto x = torch::randn({6, 1, 10, 10}), gx = torch::randn({6, 1, 10, 10});
  EXPECT_TRUE(torch::equal(a.forward(x).output, b.forward(x).output));
  const Network c = nn::make_cnn_network(8, options);
  EXPECT_FALSE(torch::equal(a.forward(x).output, c.forward(x).output));
  const Network pair = nn::make_cnn_network(7, options), two = nn::make_cnn_network(7, options);
  const auto [first, second] = encode_pair(pair, x, gx);
  EXPECT_TRUE(torch::allclose(first.output, two.forward(x).output, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(second.output, two.forward(gx).output, 1e-4, 1e-5));
}

// The mean over positions: a network without borders or pooling does not see where a pattern is.
TEST(Cnn, AShiftOfAnIsolatedSpotLeavesZ) {
  nn::CnnOptions options = small({1, 12, 12});
  options.pool = {0};
  const Network network = nn::make_cnn_network(3, options);
  network.module->eval();
  const auto x = torch::zeros({1, 1, 12, 12});
  x[0][0][4][4] = 1;
  const auto z = network.forward(x).latents.at(0);
  EXPECT_TRUE(torch::allclose(z, network.forward(torch::roll(x, {2, 1}, {2, 3})).latents.at(0),
                              1e-4, 1e-5));
}

TEST(Cnn, SaysWhatDoesNotFit) {
  const auto refusal = [](const nn::CnnOptions& options) {
    try {
      nn::make_cnn_network(1, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  nn::CnnOptions deep = small({1, 8, 8});
  deep.channels = {2, 2, 2, 2};
  EXPECT_NE(refusal(deep).find("block 4 leaves nothing of a side of 1"), std::string::npos)
      << refusal(deep);
  nn::CnnOptions lists = small({1, 8, 8});
  lists.stride = {1, 1, 1};
  EXPECT_NE(refusal(lists).find("3 stride for 2 blocks"), std::string::npos) << refusal(lists);
  EXPECT_NE(refusal(small({8})).find("C x H x W"), std::string::npos);
  EXPECT_NE(refusal(small({1, 2, 3, 4, 5})).find("C x H x W"), std::string::npos);
  nn::CnnOptions huge = small({1, 8, 8});
  huge.latent = 1'000'000'000'000;
  EXPECT_NE(refusal(huge).find("memory"), std::string::npos) << refusal(huge);
}

}  // namespace
}  // namespace algprior
