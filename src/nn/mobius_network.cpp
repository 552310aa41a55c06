#include "algprior/base/error.hpp"
#include "algprior/nn/mobius.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "mobius_tables.hpp"
#include "weight_count.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

namespace algprior::nn {
namespace {

constexpr double kEnergyFloor = 1e-6;
constexpr std::int64_t kMostBlocks = 1000;

/// mish(x·s/√(E + |e| + ε) + b + r − θ) + θ with E the Dirichlet energy of each channel, which no
/// conformal map changes.
class DirichletNormImpl : public torch::nn::Module {
 public:
  explicit DirichletNormImpl(std::int64_t channels) {
    scale_ = register_parameter("scale", at::ones({channels}));
    shift_ = register_parameter("shift", at::zeros({channels}));
    floor_ = register_parameter("floor", at::full({channels}, kEnergyFloor));
    const double reach = std::sqrt(3.0 / static_cast<double>(channels));
    threshold_ = register_parameter("threshold", (at::rand({channels}) * 2.0 - 1.0) * reach);
  }

  at::Tensor forward(const at::Tensor& x, const at::Tensor& energy, const at::Tensor& residual) {
    const auto channel = [](const at::Tensor& value) { return value.view({1, -1, 1, 1}); };
    const auto size = (energy + floor_.abs() + kEnergyFloor).sqrt();
    const auto y = x * (scale_ / size).view({x.size(0), -1, 1, 1}) + channel(shift_);
    const auto threshold = channel(threshold_);
    return at::mish((residual.defined() ? y + residual : y) - threshold) + threshold;
  }

 private:
  at::Tensor scale_, shift_, floor_, threshold_;
};
TORCH_MODULE(DirichletNorm);

class MobiusBlockImpl : public torch::nn::Module {
 public:
  explicit MobiusBlockImpl(const MobiusConvOptions& options) {
    first_ = register_module("first", MobiusConv(options));
    first_norm_ = register_module("first_norm", DirichletNorm(options.out));
    second_ = register_module("second", MobiusConv(options));
    second_norm_ = register_module("second_norm", DirichletNorm(options.out));
  }

  at::Tensor forward(const at::Tensor& x) {
    auto y = first_->forward(x);
    y = first_norm_->forward(y, first_->energy(y), {});
    y = second_->forward(y);
    return second_norm_->forward(y, second_->energy(y), x);
  }

 private:
  MobiusConv first_{nullptr}, second_{nullptr};
  DirichletNorm first_norm_{nullptr}, second_norm_{nullptr};
};
TORCH_MODULE(MobiusBlock);

class MobiusModule : public torch::nn::Module {
 public:
  explicit MobiusModule(const MobiusNetworkOptions& options) {
    stem_ = register_module(
        "stem", torch::nn::Conv2d(torch::nn::Conv2dOptions(options.channels, options.width, 1)));
    for (std::int64_t i = 0; i < options.blocks; ++i) {
      blocks_->push_back(MobiusBlock(
          MobiusConvOptions{options.width, options.width, options.bandwidth, options.nodes}));
    }
    register_module("blocks", blocks_);
    head_ = register_module("head", torch::nn::Linear(options.width, options.classes));
    auto weights = parallel_weights(static_cast<int>(options.bandwidth));
    const auto rows = static_cast<std::int64_t>(weights.size());
    area_ = at::from_blob(weights.data(), {rows, 1}, at::kDouble).to(at::kFloat) /
            static_cast<double>(2 * rows);
  }

  at::Tensor encode(const at::Tensor& x) {
    auto value = at::mish(stem_->forward(x));
    for (const auto& block : *blocks_) value = block->as<MobiusBlockImpl>()->forward(value);
    return (value * area_.to(value.device())).sum(at::IntArrayRef({2, 3}));
  }

  at::Tensor decode(const at::Tensor& z) { return head_->forward(z); }

 private:
  torch::nn::Conv2d stem_{nullptr};
  torch::nn::ModuleList blocks_;
  torch::nn::Linear head_{nullptr};
  at::Tensor area_;  // share of the sphere, 2B×1
};

}  // namespace

Network make_mobius_network(std::uint64_t seed, const MobiusNetworkOptions& options) {
  if (options.channels < 1 || options.width < 1 || options.blocks < 1 ||
      options.blocks > kMostBlocks || options.classes < 2) {
    throw InputError(
        {"the Möbius network cannot be built",
         fmt::format("{} channels, width {}, {} blocks, {} classes", options.channels,
                     options.width, options.blocks, options.classes),
         fmt::format("sizes of at least 1, at most {} blocks, at least 2 classes", kMostBlocks),
         ""});
  }
  WeightCount weights;
  const auto width = static_cast<double>(options.width);
  weights.add_linear(options.channels, options.width);
  weights.add(static_cast<double>(options.blocks) * (18.0 * width + 16.0) * width);
  weights.add_linear(options.width, options.classes);
  weights.check(fmt::format("a Möbius network of width {}", options.width));
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<MobiusModule>(options);
  return make_network({.module = net,
                       .forward =
                           [net](const at::Tensor& x) {
                             const auto z = net->encode(x);
                             return Encoded{net->decode(z), {z}};
                           },
                       .decode = [net](const at::Tensor& z, std::size_t) { return net->decode(z); },
                       .latent_shapes = {{options.width}}});
}

namespace {

struct MobiusSettings {
  MobiusNetworkOptions options;

  void bind(config::Fields& fields) {
    fields.integer("network.width", options.width, "channels of the blocks").at_least(1);
    fields.integer("network.blocks", options.blocks, "residual blocks").at_least(1);
    fields.integer("network.nodes", options.nodes, "nodes of the expansion of a filter")
        .at_least(2);
  }
};

}  // namespace

NetworkKind mobius_kind() {
  return make_network_kind<MobiusSettings>(
      "mobius", "Möbius convolutions on a square grid of parallels, half offset", Output::vector,
      [](std::uint64_t seed, const Shapes& shapes, const MobiusSettings& settings) {
        MobiusNetworkOptions options = settings.options;
        options.channels = shapes.sample.at(0);
        options.bandwidth = shapes.sample.back() / 2;
        options.classes = shapes.outputs;
        return make_mobius_network(seed, options);
      });
}

}  // namespace algprior::nn
