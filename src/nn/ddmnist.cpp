#include "algprior/nn/ddmnist.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "encode_decode.hpp"
#include "weight_count.hpp"

#include <algorithm>
#include <array>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>

namespace algprior::nn {
namespace {

class DdmnistModule : public torch::nn::Module {
 public:
  explicit DdmnistModule(const DdmnistNetworkOptions& options)
      : encoding_blocks_(options.layer == 0 ? kDdmnistRows.size()
                                            : static_cast<std::size_t>(options.layer)),
        grid_(options.layer != 0) {
    for (const auto& row : kDdmnistRows) {
      auto block = ConvBlock2dOptions(row.in, row.out, row.kernel)
                       .stride(row.stride)
                       .padding(row.padding)
                       .pool_kernel(row.pool_kernel)
                       .pool_stride(row.pool_stride)
                       .pool_padding(row.pool_padding);
      if (blocks_->is_empty()) block.replicate(1);
      blocks_->push_back(ConvBlock2d(block));
    }
    register_module("blocks", blocks_);
    latent_ = register_module("latent", torch::nn::Conv2d(torch::nn::Conv2dOptions(
                                            kDdmnistRows.back().out, options.latent, 1)));
    norm_ = register_module("norm", torch::nn::BatchNorm1d(options.latent));
    std::int64_t width = options.latent;
    for (const std::int64_t size : options.hidden) {
      hidden_->push_back(torch::nn::Linear(width, size));
      width = size;
    }
    register_module("hidden", hidden_);
    head_ = register_module("head", torch::nn::Linear(width, options.classes));
  }

  at::Tensor encode(const at::Tensor& x, std::int64_t streams) {
    if (x.dim() != 4 || x.size(1) != 1 || x.size(2) != kDdmnistSide || x.size(3) != kDdmnistSide) {
      throw InputError({"images do not fit the double-digit network", shape_text(x),
                        fmt::format("N x 1 x {0} x {0}", kDdmnistSide),
                        "resize the images or use a network of your own"});
    }
    const auto value = through_blocks(x, 0, encoding_blocks_, streams);
    return grid_ ? value : to_vector(value);
  }

  at::Tensor decode(const at::Tensor& z) {
    const auto vector =
        grid_ ? to_vector(through_blocks(z, encoding_blocks_, kDdmnistRows.size(), 1)) : z;
    auto value = at::elu(normalise(*norm_, vector));
    for (const auto& layer : *hidden_) {
      value = at::elu(layer->as<torch::nn::LinearImpl>()->forward(value));
    }
    return head_->forward(value);
  }

 private:
  at::Tensor through_blocks(at::Tensor value, std::size_t first, std::size_t last,
                            std::int64_t streams) {
    for (std::size_t i = first; i < last; ++i) {
      value = blocks_[i]->as<ConvBlock2dImpl>()->forward(value, streams);
    }
    return value;
  }
  at::Tensor to_vector(const at::Tensor& grid) { return latent_->forward(grid).flatten(1); }

  std::size_t encoding_blocks_;
  bool grid_;
  torch::nn::ModuleList blocks_;
  torch::nn::Conv2d latent_{nullptr};
  torch::nn::BatchNorm1d norm_{nullptr};
  torch::nn::ModuleList hidden_;
  torch::nn::Linear head_{nullptr};
};

// Behind each row of the table: channels and side.
constexpr std::array<std::int64_t, kDdmnistRows.size()> kDdmnistGridSides = {55, 27, 7, 3, 1};

LatentShapes ddmnist_latent(const DdmnistNetworkOptions& options) {
  if (options.layer == 0) return {{options.latent}};
  const auto row = static_cast<std::size_t>(options.layer) - 1;
  return {{kDdmnistRows[row].out, kDdmnistGridSides[row], kDdmnistGridSides[row]}};
}

}  // namespace

Network make_ddmnist_network(std::uint64_t seed, const DdmnistNetworkOptions& options) {
  const bool hidden_fit = std::all_of(options.hidden.begin(), options.hidden.end(),
                                      [](std::int64_t size) { return size >= 1; });
  const auto rows = static_cast<std::int64_t>(kDdmnistRows.size());
  if (options.latent < 1 || options.classes < 2 || !hidden_fit || options.layer < 0 ||
      options.layer > rows) {
    throw InputError(
        {"the double-digit network cannot be built",
         fmt::format("latent {}, hidden {}, classes {}, Z at layer {}", options.latent,
                     fmt::join(options.hidden, " "), options.classes, options.layer),
         fmt::format("sizes of at least 1, at least 2 classes, Z at layer 0 to {}", rows), ""});
  }
  WeightCount weights;
  weights.add_linear(kDdmnistRows.back().out, options.latent);
  std::int64_t width = options.latent;
  for (const std::int64_t size : options.hidden) {
    weights.add_linear(width, size);
    width = size;
  }
  weights.add_linear(width, options.classes);
  weights.check(fmt::format("network with latent {}, {} classes", options.latent, options.classes));
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<DdmnistModule>(options);
  Network network = two_stream_network(net, ddmnist_latent(options));
  network.head = options.hidden.empty() && options.layer == 0 ? Head::coordinatewise : Head::hidden;
  return network;
}

namespace {

struct DdmnistNetworkSettings {
  DdmnistNetworkOptions options;

  void bind(config::Fields& fields) {
    fields.integer("network.latent", options.latent, "dim Z").at_least(1);
    fields
        .integers("network.head_hidden", options.hidden,
                  "sizes of the layers between Z and outputs")
        .at_least(1);
    fields
        .integer("network.latent_layer", options.layer,
                 "which layer is Z: 0 the vector before the head, k the grid behind block k")
        .at_least(0)
        .at_most(static_cast<double>(kDdmnistRows.size()));
  }
};

}  // namespace

NetworkKind ddmnist_kind() {
  return make_network_kind<DdmnistNetworkSettings>(
      "ddmnist", "thin convolutional classifier for 56×56 images", Output::vector,
      [](std::uint64_t seed, const Shapes& shapes, const DdmnistNetworkSettings& settings) {
        DdmnistNetworkOptions options = settings.options;
        options.classes = shapes.outputs;
        return make_ddmnist_network(seed, options);
      });
}

}  // namespace algprior::nn
