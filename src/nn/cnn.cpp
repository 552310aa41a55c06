#include "algprior/nn/cnn.hpp"

#include "algprior/base/choice.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/nn/conv_block.hpp"
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

constexpr Choices<Activation, 4> kCnnActivations = {{"elu", Activation::elu},
                                                    {"relu", Activation::relu},
                                                    {"tanh", Activation::tanh},
                                                    {"gelu", Activation::gelu}};
constexpr std::int64_t kLargestSide = 1 << 16;  // of a kernel, a stride, a pooling window
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 40;  // of a sample

// One block; its sides are those of the first axis for signals, else of all axes.
struct CnnBlock {
  std::int64_t in, out, kernel, stride, pool;
};

[[noreturn]] void refuse_cnn(const std::string& what, const std::string& expected,
                             const std::string& next = "") {
  throw InputError({"the convolutional network cannot be built", what, expected, next});
}

std::int64_t entry_of(const char* name, const std::vector<std::int64_t>& list, std::size_t block,
                      std::size_t blocks, std::int64_t least) {
  if (list.size() != 1 && list.size() != blocks) {
    refuse_cnn(fmt::format("{} {} for {} blocks", list.size(), name, blocks),
               "one for all blocks, or one for each");
  }
  const std::int64_t value = list.size() == 1 ? list[0] : list[block];
  if (value < least || value > kLargestSide) {
    refuse_cnn(fmt::format("{} {}", name, value), fmt::format("{} to {}", least, kLargestSide));
  }
  return value;
}

// The blocks, after it is sure that each leaves something of a sample.
std::vector<CnnBlock> blocks_of(const CnnOptions& options) {
  const auto& sample = options.sample;
  const bool sized = std::all_of(sample.begin(), sample.end(), [](std::int64_t extent) {
    return extent >= 1 && extent <= kLargestExtent;
  });
  if (sample.size() < 2 || sample.size() > 4 || !sized) {
    refuse_cnn(fmt::format("samples of {}", fmt::join(sample, " x ")),
               "C x L, C x H x W or C x D x H x W, each of 1 to 2^40",
               "reshape the array, or take network.kind = \"mlp\"");
  }
  if (options.channels.empty() || options.latent < 1 || options.classes < 2) {
    refuse_cnn(fmt::format("{} blocks, latent {}, classes {}", options.channels.size(),
                           options.latent, options.classes),
               "at least 1 block, 1 latent coordinate and 2 classes");
  }
  std::vector<CnnBlock> blocks;
  std::vector<std::int64_t> left(sample.begin() + 1, sample.end());
  std::int64_t in = sample[0];
  for (std::size_t i = 0; i < options.channels.size(); ++i) {
    const std::size_t count = options.channels.size();
    CnnBlock block{in, options.channels[i], entry_of("kernel", options.kernel, i, count, 1),
                   entry_of("stride", options.stride, i, count, 1),
                   entry_of("pool", options.pool, i, count, 0)};
    if (block.out < 1) refuse_cnn(fmt::format("{} channels", block.out), "at least 1");
    if (block.pool == 1) block.pool = 0;
    for (std::int64_t& extent : left) {
      const std::int64_t before = extent;
      extent = (extent + 2 * (block.kernel / 2) - block.kernel) / block.stride + 1;
      if (block.pool > 0) extent = extent < block.pool ? 0 : (extent - block.pool) / block.pool + 1;
      if (extent >= 1) continue;
      refuse_cnn(fmt::format("block {} leaves nothing of a side of {}", i + 1, before),
                 "positions that are left", "take fewer blocks, or a smaller stride or pool");
    }
    blocks.push_back(block);
    in = block.out;
  }
  return blocks;
}

void check_cost(const CnnOptions& options, const std::vector<CnnBlock>& blocks) {
  WeightCount weights;
  const int dimensions = static_cast<int>(options.sample.size()) - 1;
  for (const CnnBlock& block : blocks) {
    weights.add_convolution(block.in, block.out, block.kernel, dimensions);
  }
  weights.add_linear(blocks.back().out, options.latent);
  weights.add_linear(options.latent, options.classes);
  weights.check(fmt::format("channels {}, latent {}, {} classes", fmt::join(options.channels, " "),
                            options.latent, options.classes));
}

// Signals are images of one row.
template <std::size_t D>
auto block_options(const CnnBlock& block, bool signal, const CnnOptions& options) {
  const auto sides = [signal](std::int64_t side, std::int64_t across) {
    torch::ExpandingArray<D> all(side);
    if (signal) (*all)[0] = across;
    return all;
  };
  auto result = ConvBlockOptions<D>(block.in, block.out, sides(block.kernel, 1))
                    .stride(sides(block.stride, 1))
                    .padding(sides(block.kernel / 2, 0))
                    .norm(options.norm)
                    .activation(options.activation);
  if (block.pool > 0) result.pool_kernel(sides(block.pool, 1)).pool_stride(sides(block.pool, 1));
  return result;
}

class CnnModule : public torch::nn::Module {
 public:
  CnnModule(const CnnOptions& options, const std::vector<CnnBlock>& blocks)
      : sample_(options.sample), activation_(options.activation) {
    const bool signal = sample_.size() == 2;
    for (const CnnBlock& block : blocks) {
      if (sample_.size() == 4) {
        blocks_->push_back(ConvBlock3d(block_options<3>(block, false, options)));
      } else {
        blocks_->push_back(ConvBlock2d(block_options<2>(block, signal, options)));
      }
    }
    register_module("blocks", blocks_);
    latent_ = register_module("latent", torch::nn::Linear(blocks.back().out, options.latent));
    if (options.norm) norm_ = register_module("norm", torch::nn::BatchNorm1d(options.latent));
    head_ = register_module("head", torch::nn::Linear(options.latent, options.classes));
  }

  at::Tensor encode(const at::Tensor& x, std::int64_t streams) {
    if (x.dim() != static_cast<std::int64_t>(sample_.size()) + 1 ||
        x.sizes().slice(1) != at::IntArrayRef(sample_)) {
      throw InputError({"samples do not fit the network", shape_text(x),
                        fmt::format("N x {}", fmt::join(sample_, " x ")),
                        "use data of the shape that the network was made for"});
    }
    at::Tensor value = sample_.size() == 2 ? x.unsqueeze(2) : x;
    for (const auto& block : *blocks_) {
      value = sample_.size() == 4 ? block->as<ConvBlock3dImpl>()->forward(value, streams)
                                  : block->as<ConvBlock2dImpl>()->forward(value, streams);
    }
    return latent_->forward(value.flatten(2).mean(2));
  }

  at::Tensor decode(const at::Tensor& z) {
    const at::Tensor value = norm_.is_empty() ? z : normalise(*norm_, z);
    switch (activation_) {
      case Activation::identity:
        return head_->forward(value);
      case Activation::elu:
        return head_->forward(at::elu(value));
      case Activation::relu:
        return head_->forward(at::relu(value));
      case Activation::tanh:
        return head_->forward(at::tanh(value));
      case Activation::gelu:
        return head_->forward(at::gelu(value));
    }
    return head_->forward(value);
  }

 private:
  std::vector<std::int64_t> sample_;
  Activation activation_;
  torch::nn::ModuleList blocks_;
  torch::nn::Linear latent_{nullptr};
  torch::nn::BatchNorm1d norm_{nullptr};
  torch::nn::Linear head_{nullptr};
};

}  // namespace

Network make_cnn_network(std::uint64_t seed, const CnnOptions& options) {
  const std::vector<CnnBlock> blocks = blocks_of(options);
  check_cost(options, blocks);
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<CnnModule>(options, blocks);
  Network network = two_stream_network(net, {{options.latent}});
  network.head = Head::coordinatewise;
  return network;
}

namespace {

struct CnnSettings {
  CnnOptions options;

  void bind(config::Fields& fields) {
    fields.integers("network.channels", options.channels, "channels of the blocks, one a block")
        .at_least(1);
    fields
        .integers("network.kernel", options.kernel,
                  "sides of the convolutions, one for all blocks or one a block")
        .at_least(1);
    fields.integers("network.stride", options.stride, "their strides, likewise").at_least(1);
    fields
        .integers("network.pool", options.pool,
                  "sides of the pooling windows behind them, likewise; 0: no pooling")
        .at_least(0);
    fields.boolean("network.norm", options.norm, "batch norm in the blocks and behind Z");
    fields.choice("network.activation", options.activation, kCnnActivations,
                  "of the blocks and behind Z");
    fields.integer("network.latent", options.latent, "dim Z").at_least(1);
  }
};

}  // namespace

NetworkKind cnn_kind() {
  return make_network_kind<CnnSettings>(
      "cnn", "convolutional classifier for signals, images and volumes of any size", Output::vector,
      [](std::uint64_t seed, const Shapes& shapes, const CnnSettings& settings) {
        CnnOptions options = settings.options;
        options.sample = shapes.sample;
        options.classes = shapes.outputs;
        return make_cnn_network(seed, options);
      });
}

}  // namespace algprior::nn
