#include "algprior/nn/ddmnist.hpp"

#include "algprior/base/error.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "encode_decode.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>

namespace algprior::nn {
namespace {

class DdmnistModule : public torch::nn::Module {
 public:
  explicit DdmnistModule(const DdmnistNetworkOptions& options) {
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
    head_ = register_module("head", torch::nn::Linear(options.latent, options.classes));
  }

  at::Tensor encode(const at::Tensor& x, std::int64_t streams) {
    if (x.dim() != 4 || x.size(1) != 1 || x.size(2) != kDdmnistSide || x.size(3) != kDdmnistSide) {
      throw InputError({"images do not fit the double-digit network",
                        fmt::format("{}", fmt::join(x.sizes(), " x ")),
                        fmt::format("N x 1 x {0} x {0}", kDdmnistSide),
                        "resize the images or use a network of your own"});
    }
    auto value = x;
    for (const auto& block : *blocks_)
      value = block->as<ConvBlock2dImpl>()->forward(value, streams);
    return latent_->forward(value).flatten(1);
  }

  at::Tensor decode(const at::Tensor& z) { return head_->forward(at::elu(norm_->forward(z))); }

 private:
  torch::nn::ModuleList blocks_;
  torch::nn::Conv2d latent_{nullptr};
  torch::nn::BatchNorm1d norm_{nullptr};
  torch::nn::Linear head_{nullptr};
};

}  // namespace

Network make_ddmnist_network(std::uint64_t seed, const DdmnistNetworkOptions& options) {
  if (options.latent < 1 || options.classes < 2) {
    throw InputError({"the double-digit network cannot be built",
                      fmt::format("latent {}, classes {}", options.latent, options.classes),
                      "at least 1 latent coordinate and 2 classes", ""});
  }
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<DdmnistModule>(options);
  return two_stream_network(net, {{options.latent}});
}

namespace {

struct DdmnistNetworkSettings {
  DdmnistNetworkOptions options;

  void bind(config::Fields& fields) {
    fields.integer("network.latent", options.latent, "dim Z").at_least(1);
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
