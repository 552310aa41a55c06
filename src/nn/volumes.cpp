#include "algprior/nn/volumes.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/seeded.hpp"
#include "encode_decode.hpp"
#include "weight_count.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/linear.h>

namespace algprior::nn {
namespace {

constexpr std::int64_t kSmallestVolume = 28;

// A convolution alone: what a skip connection has.
ConvBlock3d plain(ConvBlock3dOptions options) {
  return ConvBlock3d(options.norm(false).activation(Activation::identity));
}

class VolumeModule : public torch::nn::Module {
 public:
  explicit VolumeModule(const VolumeNetworkOptions& options) {
    const std::int64_t c = options.width;
    first_ = add("first", ConvBlock3d(ConvBlock3dOptions(1, c, 7).padding(2).replicate(1)));
    second_ = add("second", ConvBlock3d(ConvBlock3dOptions(c, 2 * c, 5).padding(2)));
    first_skip_ = add("first_skip", plain(ConvBlock3dOptions(1, 2 * c, 7).padding(2).replicate(1)));
    third_ = add("third", ConvBlock3d(ConvBlock3dOptions(2 * c, 4 * c, 3)
                                          .stride(2)
                                          .padding(1)
                                          .pool_kernel(5)
                                          .pool_stride(2)
                                          .pool_padding(1)));
    fourth_ = add("fourth", ConvBlock3d(ConvBlock3dOptions(4 * c, 6 * c, 3).stride(2).padding(2)));
    second_skip_ = add("second_skip", plain(ConvBlock3dOptions(2 * c, 6 * c, 3)));
    fifth_ =
        add("fifth", ConvBlock3d(ConvBlock3dOptions(6 * c, 6 * c, 3).padding(1).pool_kernel(3)));
    sixth_ = add("sixth", plain(ConvBlock3dOptions(6 * c, 8 * c, 1)));
    third_skip_ = add("third_skip", plain(ConvBlock3dOptions(6 * c, 8 * c, 3)));
    norm_ = register_module("norm", torch::nn::BatchNorm1d(8 * c));
    head_ = register_module("head", torch::nn::Linear(8 * c, options.classes));
  }

  at::Tensor encode(const at::Tensor& x, std::int64_t streams) {
    if (x.dim() != 5 || x.size(1) != 1 || x.size(2) < kSmallestVolume || x.size(2) != x.size(3) ||
        x.size(2) != x.size(4)) {
      throw InputError({"volumes do not fit the network", shape_text(x),
                        fmt::format("N x 1 x n x n x n with n of at least {}", kSmallestVolume),
                        "pad or resize the volumes"});
    }
    const Pool five{{5, 5, 5}, {2, 2, 2}, {1, 1, 1}};
    const Pool bare{{5, 5, 5}, {2, 2, 2}, {0, 0, 0}};
    const auto main = second_->forward(first_->forward(x, streams), streams);
    auto y = average_pool(main + first_skip_->forward(x), five);
    y = fourth_->forward(third_->forward(y, streams), streams) +
        second_skip_->forward(average_pool(y, bare));
    y = sixth_->forward(fifth_->forward(y, streams)) + third_skip_->forward(y);
    return y.flatten(2).mean(2);
  }

  at::Tensor decode(const at::Tensor& z) { return head_->forward(at::elu(normalise(*norm_, z))); }

 private:
  ConvBlock3d add(const char* name, const ConvBlock3d& block) {
    return register_module(name, block);
  }

  ConvBlock3d first_{nullptr}, second_{nullptr}, first_skip_{nullptr}, third_{nullptr};
  ConvBlock3d fourth_{nullptr}, second_skip_{nullptr}, fifth_{nullptr}, sixth_{nullptr};
  ConvBlock3d third_skip_{nullptr};
  torch::nn::BatchNorm1d norm_{nullptr};
  torch::nn::Linear head_{nullptr};
};

}  // namespace

Network make_volume_network(std::uint64_t seed, const VolumeNetworkOptions& options) {
  if (options.width < 1 || options.classes < 2) {
    throw InputError({"the volume network cannot be built",
                      fmt::format("width {}, classes {}", options.width, options.classes),
                      "a width of at least 1 and 2 classes", ""});
  }
  WeightCount weights;
  constexpr double kWeightsOfWidth = 3754;  // over width², for large widths
  weights.add(kWeightsOfWidth * static_cast<double>(options.width) *
              static_cast<double>(options.width));
  weights.add(8.0 * static_cast<double>(options.width) * static_cast<double>(options.classes));
  weights.check(fmt::format("network with width {}, {} classes", options.width, options.classes));
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<VolumeModule>(options);
  Network network = two_stream_network(net, {{8 * options.width}});
  network.head = Head::coordinatewise;
  return network;
}

namespace {

struct VolumeNetworkSettings {
  VolumeNetworkOptions options;

  void bind(config::Fields& fields) {
    fields.integer("network.width", options.width, "c: all widths are multiples, dim Z = 8c")
        .at_least(1);
  }
};

}  // namespace

NetworkKind volumes_kind() {
  return make_network_kind<VolumeNetworkSettings>(
      "volumes", "residual classifier for volumes of 28×28×28 or more", Output::vector,
      [](std::uint64_t seed, const Shapes& shapes, const VolumeNetworkSettings& settings) {
        VolumeNetworkOptions options = settings.options;
        options.classes = shapes.outputs;
        return make_volume_network(seed, options);
      });
}

}  // namespace algprior::nn
