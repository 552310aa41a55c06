// The same networks, weights and batches in python3-torch: oracles/python/ddmnist_network.py and
// volume_network.py.
#include "algprior/group/make_group.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/volumes.hpp"
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

const std::string kPython = "/usr/bin/python3";

bool python_has_torch() {
  return std::system((kPython + " -c 'import torch' > /dev/null 2>&1").c_str()) == 0;
}

io::SafeTensors question_about(const Network& network) {
  io::SafeTensors content;
  for (const auto& [name, tensor] : weights_of(*network.module)) {
    content.tensors["model/" + name] = to_array(tensor);
  }
  return content;
}

std::map<std::string, at::Tensor> ask_python(const char* script, const io::SafeTensors& question) {
  const auto folder = std::filesystem::path(testing::TempDir());
  io::write_safetensors(folder / "question.safetensors", question);
  const auto command = kPython + " " + ALGPRIOR_ORACLES + "/" + script + " answer " +
                       (folder / "question.safetensors").string() + " " +
                       (folder / "answer.safetensors").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  return read(folder / "answer.safetensors");
}

TEST(NetworkParity, PythonReadsOurWeights) {
  if (!python_has_torch()) GTEST_SKIP() << "no torch for " << kPython;
  const auto network = nn::make_ddmnist_network(11);
  io::SafeTensors content = question_about(network);
  torch::manual_seed(2);
  content.tensors["x"] = to_array(torch::randn({9, 1, 56, 56}));
  content.tensors["gx"] = to_array(torch::randn({9, 1, 56, 56}));
  content.tensors["y"] = to_array(torch::randint(0, 100, {9}, torch::kLong));
  content.tensors["g"] = to_array(torch::randint(0, 64, {9}, torch::kLong));
  expect_parity(network, ask_python("ddmnist_network.py", content));
}

// The volumes that both sides make for themselves.
at::Tensor ramp_volumes() {
  const auto i = at::arange(4 * 28 * 28 * 28, at::kLong);
  const auto values = ((31 * i * i + 17 * i) % 509).to(at::kFloat) / 254.5 - 1;
  return values.reshape({4, 1, 28, 28, 28});
}

void expect_volume_parity(const Network& network, const std::map<std::string, at::Tensor>& file) {
  set_weights(*network.module, model_of(file));
  const auto gap = [&](const at::Tensor& ours, const char* name) {
    const auto& theirs = file.at(name);
    return ((ours - theirs).abs().max() / theirs.abs().max()).item<double>();
  };
  network.module->train();
  const Encoded encoded = network.forward(ramp_volumes());
  EXPECT_LE(gap(encoded.output, "output"), 1e-5);
  EXPECT_LE(gap(encoded.latents[0], "latent"), 1e-5);
  encoded.output.square().sum().backward();
  const auto gradient = network.module->named_parameters()["first.conv.weight"].grad();
  EXPECT_LE(gap(gradient, "gradient"), 1e-4);
  network.module->eval();
  EXPECT_LE(gap(network.forward(ramp_volumes()).output, "evaluated"), 1e-5);
}

TEST(NetworkParity, OutputsOfTheVolumeFixture) {
  const auto file = read(std::filesystem::path(ALGPRIOR_TEST_DATA) / "volume_network.safetensors");
  expect_volume_parity(nn::make_volume_network(0, {.width = 3, .classes = 11}), file);
}

TEST(NetworkParity, PythonReadsOurVolumeWeights) {
  if (!python_has_torch()) GTEST_SKIP() << "no torch for " << kPython;
  const auto network = nn::make_volume_network(5);
  expect_volume_parity(network, ask_python("volume_network.py", question_about(network)));
}

}  // namespace
}  // namespace algprior
