#include "algprior/nn/exploratory.hpp"

#include "algprior/base/error.hpp"

#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior::nn {
namespace {

void expect_two_parts(const Network& network, at::IntArrayRef input, at::IntArrayRef latent,
                      at::IntArrayRef output) {
  const auto x = at::rand(input);
  const Encoded encoded = network.forward(x);
  EXPECT_EQ(encoded.latents.at(0).sizes(), latent);
  EXPECT_EQ(encoded.output.sizes(), output);
  EXPECT_TRUE(at::equal(network.encode(x).at(0), encoded.latents.at(0)));
  EXPECT_TRUE(at::equal(network.decode(encoded.latents.at(0), 0), encoded.output));
}

// Without the 64, 2·324 and 256 numbers of ρ̂.
TEST(ExploratoryNetworks, HaveThePublishedSizes) {
  EXPECT_EQ(parameter_count(make_conv_autoencoder(0)), 13'577 - 64);
  EXPECT_EQ(parameter_count(make_conv_autoencoder(0, {.latent = 42})), 371'155 - 42 * 42);
  EXPECT_EQ(parameter_count(make_mlp_autoencoder(0)), 1'138'346 - 2 * 324);
  EXPECT_EQ(parameter_count(make_cifar_network(0)), 119'312 - 256);
}

TEST(ExploratoryNetworks, ZLiesWhereItIsAskedFor) {
  const std::vector<std::int64_t> image{3, 1, 28, 28};
  expect_two_parts(make_conv_autoencoder(1), image, {3, 8}, image);
  expect_two_parts(make_conv_autoencoder(1, {.place = LatentPlace::first}), image, {3, 8, 14, 14},
                   image);
  expect_two_parts(make_conv_autoencoder(1, {.place = LatentPlace::last}), image, {3, 8, 14, 14},
                   image);
  expect_two_parts(make_mlp_autoencoder(1), image, {3, 18}, image);
  expect_two_parts(make_cifar_network(1), {3, 3, 32, 32}, {3, 16}, {3, 10});
}

TEST(ExploratoryNetworks, ZIsNotSquashed) {
  const auto z = make_mlp_autoencoder(2).encode(1e4 * at::rand({4, 1, 28, 28})).at(0);
  const auto w = make_conv_autoencoder(2).encode(at::rand({4, 1, 28, 28})).at(0);
  EXPECT_FALSE(at::equal(z, z.clamp_min(0)));
  EXPECT_FALSE(at::equal(w, w.clamp_min(0)));
}

TEST(ExploratoryNetworks, OneSeedOneNetworkAndRefusals) {
  const auto x = at::rand({2, 1, 28, 28});
  EXPECT_TRUE(at::equal(make_conv_autoencoder(5).forward(x).output,
                        make_conv_autoencoder(5).forward(x).output));
  EXPECT_FALSE(at::equal(make_conv_autoencoder(5).forward(x).output,
                         make_conv_autoencoder(6).forward(x).output));
  EXPECT_THROW(make_conv_autoencoder(0, {.latent = 7}), InputError);
  EXPECT_THROW(make_conv_autoencoder(0).forward(at::rand({2, 1, 32, 32})), InputError);
  EXPECT_THROW(make_cifar_network(0, {.classes = 1}), InputError);
}

}  // namespace
}  // namespace algprior::nn
