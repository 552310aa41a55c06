#include "algprior/nn/fluids.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "encode_decode.hpp"
#include "weight_count.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>

namespace algprior::nn {
namespace {

constexpr std::int64_t kComponents = 2;
constexpr int kHiddenLayers = 4;

class FluidModule : public torch::nn::Module {
 public:
  explicit FluidModule(const FluidNetworkOptions& options) : inputs_(kComponents * options.frames) {
    std::int64_t in = inputs_;
    for (int i = 0; i < kHiddenLayers; ++i) {
      hidden_->push_back(ConvBlock2d(
          ConvBlock2dOptions(in, options.hidden, 3).padding(1).activation(Activation::relu)));
      in = options.hidden;
    }
    register_module("hidden", hidden_);
    last_ = register_module("last", ConvBlock2d(ConvBlock2dOptions(in, kComponents, 3)
                                                    .padding(1)
                                                    .norm(false)
                                                    .activation(Activation::identity)));
  }

  at::Tensor encode(const at::Tensor& x, std::int64_t streams) {
    if (x.dim() != 4 || x.size(1) != inputs_) {
      throw InputError({"frames do not fit the fluid network", shape_text(x),
                        fmt::format("N x {} x H x W, two components a frame", inputs_),
                        "give it as many frames as it was made for"});
    }
    auto value = x;
    for (const auto& block : *hidden_) {
      value = block->as<ConvBlock2dImpl>()->forward(value, streams);
    }
    return value;
  }

  at::Tensor decode(const at::Tensor& z) { return last_->forward(z); }

 private:
  std::int64_t inputs_;
  torch::nn::ModuleList hidden_;
  ConvBlock2d last_{nullptr};
};

}  // namespace

namespace {

std::string text_of(const FluidNetworkOptions& options) {
  return fmt::format("{} frames, {} channels, side {}", options.frames, options.hidden,
                     options.side);
}

void check_sizes(const FluidNetworkOptions& options) {
  if (options.frames >= 1 && options.hidden >= 1 && options.side >= 1) return;
  throw InputError(
      {"the fluid network cannot be built", text_of(options), "at least 1 of each", ""});
}

}  // namespace

Network make_fluid_network(std::uint64_t seed, const FluidNetworkOptions& options) {
  check_sizes(options);
  WeightCount weights;
  weights.add_convolution(options.frames, options.hidden, 6, 2);
  weights.add_convolution(options.hidden, options.hidden, 5, 2);
  weights.check(text_of(options));
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<FluidModule>(options);
  return two_stream_network(net, {{options.hidden, options.side, options.side}});
}

namespace {

class FluidMlpModule : public torch::nn::Module {
 public:
  explicit FluidMlpModule(const FluidNetworkOptions& options)
      : inputs_(kComponents * options.frames * options.side * options.side), side_(options.side) {
    std::int64_t in = inputs_;
    for (int i = 0; i < kHiddenLayers; ++i) {
      layers_->push_back(torch::nn::Linear(in, options.hidden));
      norms_->push_back(torch::nn::BatchNorm1d(options.hidden));
      in = options.hidden;
    }
    register_module("layers", layers_);
    register_module("norms", norms_);
    last_ = register_module("last", torch::nn::Linear(in, kComponents * side_ * side_));
  }

  at::Tensor encode(const at::Tensor& x) {
    auto value = x.flatten(1);
    if (value.size(1) != inputs_) {
      throw InputError({"frames do not fit the fluid network", shape_text(x),
                        fmt::format("{} numbers a sample", inputs_),
                        "give it as many frames as it was made for"});
    }
    for (std::size_t i = 0; i < layers_->size(); ++i) {
      value = layers_[i]->as<torch::nn::LinearImpl>()->forward(value);
      value = at::relu(normalise(*norms_[i]->as<torch::nn::BatchNorm1dImpl>(), value));
    }
    return value;
  }

  at::Tensor decode(const at::Tensor& z) {
    return last_->forward(z).view({-1, kComponents, side_, side_});
  }

 private:
  std::int64_t inputs_, side_;
  torch::nn::ModuleList layers_, norms_;
  torch::nn::Linear last_{nullptr};
};

}  // namespace

Network make_fluid_mlp(std::uint64_t seed, const FluidNetworkOptions& options) {
  check_sizes(options);
  WeightCount weights;
  const double inputs = 2.0 * static_cast<double>(options.frames) *
                        static_cast<double>(options.side) * static_cast<double>(options.side);
  weights.add(static_cast<double>(options.hidden) *
              (inputs + 3.0 * static_cast<double>(options.hidden)));
  weights.check(text_of(options));
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<FluidMlpModule>(options);
  return encode_decode_network(net, {{options.hidden}});
}

namespace {

struct FluidNetworkSettings {
  FluidNetworkOptions options;

  void bind(config::Fields& fields) {
    fields.integer("network.hidden_channels", options.hidden, "channels of the hidden layers and Z")
        .at_least(1);
  }
};

}  // namespace

NetworkKind fluid_kind() {
  return make_network_kind<FluidNetworkSettings>(
      "fluid", "3×3 convolutions from the last frames of a flow to the next", Output::sample,
      [](std::uint64_t seed, const Shapes& shapes, const FluidNetworkSettings& settings) {
        FluidNetworkOptions options = settings.options;
        options.frames = shapes.sample.at(0) / kComponents;
        options.side = shapes.sample.at(1);
        return make_fluid_network(seed, options);
      });
}

NetworkKind fluid_mlp_kind() {
  return make_network_kind<FluidNetworkSettings>(
      "fluid_mlp", "linear layers from the last frames of a flow to the next", Output::sample,
      [](std::uint64_t seed, const Shapes& shapes, const FluidNetworkSettings& settings) {
        FluidNetworkOptions options = settings.options;
        options.frames = shapes.sample.at(0) / kComponents;
        options.side = shapes.sample.at(1);
        return make_fluid_mlp(seed, options);
      });
}

}  // namespace algprior::nn
