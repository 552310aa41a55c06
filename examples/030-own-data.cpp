// Data of your own from a file, a network by two lambdas, a trainer that can be killed and resumed.
// Data: .npz or .safetensors with square images "x" (N×C×H×W, uint8 or float) and labels "y", in
// Python: numpy.savez("data.npz", x=images, y=labels). Run: example_030 data.npz run-folder
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/train/evaluate.hpp"
#include "algprior/train/trainer.hpp"

#include <cstdio>

#include <torch/torch.h>

using namespace algprior;

int main(int argc, char** argv) try {
  if (argc != 3) throw InputError({"wrong arguments", "", "example_030 DATA.npz FOLDER", ""});
  const auto data = read_tensor_data(argv[1]);
  const auto classes = data.y.max().item<std::int64_t>() + 1;
  const auto group = make_group("C4");
  const auto turns = planar_action(group);
  const auto images = make_tensor_dataset("images", data, turns, trivial_action(group), true);

  torch::manual_seed(0);
  auto encoder = torch::nn::Sequential();
  encoder->push_back("conv", torch::nn::Conv2d(data.x.size(1), 16, 3));
  encoder->push_back("pool", torch::nn::AdaptiveAvgPool2d(4));
  encoder->push_back("flat", torch::nn::Flatten());
  encoder->push_back("latent", torch::nn::Linear(256, 34));
  auto head = torch::nn::Linear(34, classes);
  const auto both = std::make_shared<torch::nn::Module>();
  both->register_module("encoder", encoder.ptr());
  both->register_module("head", head.ptr());
  const auto network = make_network({.module = both, .forward = [=](const at::Tensor& x) mutable {
                                       const auto z = encoder->forward(x);
                                       return Encoded{head->forward(torch::relu(z)), {z}};
                                     }});

  TrainerOptions options;
  options.epochs = 10;
  options.folder = argv[2];
  const auto step = make_step({.fixed = make_fixed_prior(regular_representation(group), 34, 1.0)});
  const auto validate = [&](const Network& net, std::int64_t) {
    return std::map<std::string, double>{
        {"accuracy", evaluate(classify(), net, images, RandomKey(0, "v")).at(0)}};
  };
  Trainer trainer(network, step, images, validate, options);
  trainer.add_sink(
      [](const MetricRecord& record) { std::printf("%s", to_json_line(record).c_str()); });
  trainer.resume();
  std::printf("best accuracy %.3f\n", trainer.run().best);
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
