#include "algprior/nn/mlp.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "encode_decode.hpp"
#include "weight_count.hpp"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>

namespace algprior::nn {
namespace {

class MlpModule : public torch::nn::Module {
 public:
  explicit MlpModule(const MlpOptions& options)
      : inputs_(options.inputs), head_activation_(options.head_activation) {
    std::int64_t width = options.inputs;
    for (const std::int64_t size : options.hidden) {
      layers_->push_back(torch::nn::Linear(width, size));
      width = size;
    }
    register_module("layers", layers_);
    latent_ = register_module("latent", torch::nn::Linear(width, options.latent));
    head_ = register_module("head", torch::nn::Linear(options.latent, options.classes));
  }

  at::Tensor encode(const at::Tensor& x) {
    at::Tensor value = x.flatten(1);
    if (value.size(1) != inputs_) {
      throw InputError({"samples do not fit the network", shape_text(x),
                        fmt::format("{} numbers a sample", inputs_),
                        "use data of the shape that the network was made for"});
    }
    for (const auto& layer : *layers_) {
      value = at::tanh(layer->as<torch::nn::LinearImpl>()->forward(value));
    }
    return latent_->forward(value);
  }

  at::Tensor decode(const at::Tensor& z) {
    return head_->forward(head_activation_ ? at::tanh(z) : z);
  }

 private:
  std::int64_t inputs_;
  bool head_activation_;
  torch::nn::ModuleList layers_;
  torch::nn::Linear latent_{nullptr};
  torch::nn::Linear head_{nullptr};
};

}  // namespace

Network make_mlp_network(std::uint64_t seed, const MlpOptions& options) {
  const bool hidden_fit = std::all_of(options.hidden.begin(), options.hidden.end(),
                                      [](std::int64_t size) { return size >= 1; });
  if (options.inputs < 1 || options.latent < 1 || options.classes < 2 || !hidden_fit) {
    throw InputError({"the network cannot be built",
                      fmt::format("inputs {}, hidden {}, latent {}, classes {}", options.inputs,
                                  fmt::join(options.hidden, " "), options.latent, options.classes),
                      "sizes of at least 1, and at least 2 classes", ""});
  }
  WeightCount weights;
  std::int64_t width = options.inputs;
  for (const std::int64_t size : options.hidden) {
    weights.add_linear(width, size);
    width = size;
  }
  weights.add_linear(width, options.latent);
  weights.add_linear(options.latent, options.classes);
  weights.check(fmt::format("network with hidden {}, latent {}, {} classes",
                            fmt::join(options.hidden, " "), options.latent, options.classes));
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<MlpModule>(options);
  Network network = encode_decode_network(net, {{options.latent}});
  network.small_layers = true;
  network.head = options.head_activation ? Head::coordinatewise : Head::linear;
  return network;
}

namespace {

struct MlpSettings {
  MlpOptions options{.latent = 66};

  void bind(config::Fields& fields) {
    fields.integer("network.latent", options.latent, "dim Z").at_least(1);
    fields.integers("network.hidden", options.hidden, "sizes of the layers before Z").at_least(1);
    fields.boolean("network.head_activation", options.head_activation, "tanh between Z and head");
  }
};

}  // namespace

NetworkKind mlp_kind() {
  return make_network_kind<MlpSettings>(
      "mlp", "linear layers with tanh, for samples of any shape", Output::vector,
      [](std::uint64_t seed, const Shapes& shapes, const MlpSettings& settings) {
        MlpOptions options = settings.options;
        options.inputs = 1;
        for (const auto extent : shapes.sample) options.inputs *= extent;
        options.classes = shapes.outputs;
        return make_mlp_network(seed, options);
      });
}

}  // namespace algprior::nn
