// The same network, weights and batch in python3-torch: oracles/python/ddmnist_network.py.
#include "algprior/group/make_group.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/train/optimizer.hpp"
#include "algprior/train/step.hpp"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/utils.h>

namespace algprior {
namespace {

std::map<std::string, at::Tensor> read(const std::filesystem::path& path) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto& [name, array] : io::read_safetensors(path).tensors)
    tensors[name] = to_tensor(array);
  return tensors;
}

NamedTensors model_of(const std::map<std::string, at::Tensor>& file) {
  NamedTensors weights;
  for (const auto& [name, tensor] : file) {
    if (name.starts_with("model/")) weights[name.substr(6)] = tensor;
  }
  return weights;
}

void expect_parity(const Network& network, const std::map<std::string, at::Tensor>& file) {
  set_weights(*network.module, model_of(file));
  Batch batch{file.at("x"), file.at("gx"), file.at("y"), file.at("y"), file.at("g")};
  const auto step =
      make_step({.fixed = make_fixed_prior(regular_representation(make_group("D4xD4")), 66, 1.0)});
  AdamOptions options;
  options.learning_rate = 5e-4;
  Adam optimizer(*network.module, options);
  const auto gap = [&](const at::Tensor& ours, const char* name) {
    return (ours - file.at(name)).abs().max().item<double>();
  };
  network.module->train();
  const auto first = encode_pair(network, batch.x, batch.gx).first;
  EXPECT_LE(gap(first.output, "output"), 1e-5);
  EXPECT_LE(gap(first.latents[0], "latent"), 1e-5);
  network.module->eval();
  EXPECT_LE(gap(network.forward(batch.x).output, "evaluated"), 1e-5);
  network.module->train();
  set_weights(*network.module, model_of(file));  // the running averages of the start
  for (std::int64_t k = 0; k < 10; ++k) {
    optimizer.zero_gradients();
    const auto loss = step(network, batch).total();
    EXPECT_NEAR(loss.item<double>(), file.at("losses")[k].item<double>(), 1e-4) << "step " << k;
    loss.backward();
    optimizer.step();
  }
}

TEST(NetworkParity, OutputsAndTenStepsOfTheFixture) {
  const auto file = read(std::filesystem::path(ALGPRIOR_TEST_DATA) / "ddmnist_network.safetensors");
  expect_parity(nn::make_ddmnist_network(0), file);
  auto separate = nn::make_ddmnist_network(0);
  separate.forward_pair = {};
  expect_parity(separate, file);
}

TEST(NetworkParity, PythonReadsOurWeights) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import torch' > /dev/null 2>&1").c_str()) != 0) {
    GTEST_SKIP() << "no torch for " << python;
  }
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto network = nn::make_ddmnist_network(11);
  io::SafeTensors content;
  for (const auto& [name, tensor] : weights_of(*network.module)) {
    content.tensors["model/" + name] = to_array(tensor);
  }
  torch::manual_seed(2);
  content.tensors["x"] = to_array(torch::randn({9, 1, 56, 56}));
  content.tensors["gx"] = to_array(torch::randn({9, 1, 56, 56}));
  content.tensors["y"] = to_array(torch::randint(0, 100, {9}, torch::kLong));
  content.tensors["g"] = to_array(torch::randint(0, 64, {9}, torch::kLong));
  io::write_safetensors(folder / "question.safetensors", content);
  const auto command = python + " " + ALGPRIOR_ORACLES + "/ddmnist_network.py answer " +
                       (folder / "question.safetensors").string() + " " +
                       (folder / "answer.safetensors").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  expect_parity(network, read(folder / "answer.safetensors"));
}

}  // namespace
}  // namespace algprior
