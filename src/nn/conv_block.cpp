#include "algprior/nn/conv_block.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"

#include <ostream>

namespace algprior::nn {
namespace {

// (depth, height, width), depth filled in for planar blocks.
template <std::size_t D>
std::array<int, 3> to_axes(const torch::ExpandingArray<D>& values, int depth) {
  std::array<int, 3> axes = {depth, depth, depth};
  for (std::size_t i = 0; i < D; ++i) axes[3 - D + i] = static_cast<int>((*values)[i]);
  return axes;
}

}  // namespace

namespace {

template <std::size_t D>
void check_options(const ConvBlockOptions<D>& options) {
  const auto refuse = [](const char* option, std::int64_t value, const char* expected) {
    throw InputError({"a convolution block cannot be built",
                      std::string(option) + " " + std::to_string(value), expected, ""});
  };
  const auto each = [&](const char* option, const torch::ExpandingArray<D>& values,
                        std::int64_t least, const char* expected) {
    for (const std::int64_t value : *values) {
      if (value < least || value > (std::int64_t{1} << 20)) refuse(option, value, expected);
    }
  };
  if (options.in_channels() < 1) refuse("in_channels", options.in_channels(), "at least 1");
  if (options.out_channels() < 1) refuse("out_channels", options.out_channels(), "at least 1");
  each("kernel_size", options.kernel_size(), 1, "at least 1");
  each("stride", options.stride(), 1, "at least 1");
  each("padding", options.padding(), 0, "at least 0");
  each("replicate", options.replicate(), 0, "at least 0");
  each("pool_kernel", options.pool_kernel(), 0, "at least 0; 0 for no pooling");
  each("pool_stride", options.pool_stride(), 1, "at least 1");
  each("pool_padding", options.pool_padding(), 0, "at least 0");
  double weights =
      static_cast<double>(options.in_channels()) * static_cast<double>(options.out_channels());
  for (const std::int64_t side : *options.kernel_size()) weights *= static_cast<double>(side);
  check_memory(4.0 * weights, "a convolution block",
               std::to_string(options.in_channels()) + " to " +
                   std::to_string(options.out_channels()) + " channels");
  for (std::size_t i = 0; i < D; ++i) {
    const std::int64_t kernel = (*options.pool_kernel())[i];
    const std::int64_t padding = (*options.pool_padding())[i];
    if (kernel > 0 && 2 * padding > kernel) {
      refuse("pool_padding", padding, "at most half of pool_kernel");
    }
  }
}

}  // namespace

template <std::size_t D, typename Derived>
ConvBlockImpl<D, Derived>::ConvBlockImpl(const ConvBlockOptions<D>& options_) : options(options_) {
  reset();
}

template <std::size_t D, typename Derived>
void ConvBlockImpl<D, Derived>::reset() {
  check_options(options);
  conv = this->register_module(
      "conv", Conv(torch::nn::ConvOptions<D>(options.in_channels(), options.out_channels(),
                                             options.kernel_size())
                       .stride(options.stride())
                       .padding(options.padding())
                       .bias(options.bias())));
  if (options.norm()) bn = this->register_module("bn", BatchNorm(options.out_channels()));
}

template <std::size_t D, typename Derived>
void ConvBlockImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  stream << "algprior::nn::ConvBlock" << D << "d(" << options.in_channels() << ", "
         << options.out_channels() << ", kernel_size=" << options.kernel_size()
         << ", stride=" << options.stride() << ", padding=" << options.padding() << ")";
}

template <std::size_t D, typename Derived>
at::Tensor ConvBlockImpl<D, Derived>::forward(const at::Tensor& x, std::int64_t streams) {
  ConvBlockConfig config;
  config.axes = static_cast<int>(D);
  config.stride = to_axes<D>(options.stride(), 1);
  config.padding = to_axes<D>(options.padding(), 0);
  config.replicate = to_axes<D>(options.replicate(), 0);
  config.activation = options.activation();
  config.pool.kernel = to_axes<D>(options.pool_kernel(), (*options.pool_kernel())[0] > 0 ? 1 : 0);
  config.pool.stride = to_axes<D>(options.pool_stride(), 1);
  config.pool.padding = to_axes<D>(options.pool_padding(), 0);
  config.training = this->is_training();
  config.streams = streams;
  if (options.kernels()) config.kernels = *options.kernels();

  BatchNormTensors norm;
  if (!bn.is_empty()) {
    norm = {bn->weight, bn->bias, bn->running_mean, bn->running_var};
    config.momentum = bn->options.momentum().value_or(0.1);
    config.eps = bn->options.eps();
    if (config.training) bn->num_batches_tracked.add_(streams);
  }
  return conv_block(x, conv->weight, conv->bias, norm, config);
}

void choose_kernels(torch::nn::Module& module, Kernels choice) {
  bool found = false;
  for (const auto& part : module.modules()) {
    if (auto* planar = part->as<ConvBlock2dImpl>()) {
      planar->options.kernels(choice);
      found = true;
    } else if (auto* volume = part->as<ConvBlock3dImpl>()) {
      volume->options.kernels(choice);
      found = true;
    }
  }
  if (!found) {
    throw InputError({"a network has no blocks that could choose their kernels", module.name(),
                      "ConvBlock2d or ConvBlock3d", ""});
  }
}

template class ConvBlockImpl<2, ConvBlock2dImpl>;
template class ConvBlockImpl<3, ConvBlock3dImpl>;

}  // namespace algprior::nn
