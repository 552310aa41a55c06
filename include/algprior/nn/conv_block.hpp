#pragma once

#include "algprior/kernel/conv_block.hpp"

#include <type_traits>

#include <torch/nn/cloneable.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/pimpl.h>

namespace algprior::nn {

/// Options of a ConvBlock: a convolution, batch norm, an activation, average pooling, in that
/// order.
///
///     ConvBlock2d block(ConvBlock2dOptions(6, 12, 5).padding(2).pool_kernel(5).pool_stride(2));
template <std::size_t D>
struct ConvBlockOptions {
  ConvBlockOptions(std::int64_t in_channels, std::int64_t out_channels,
                   torch::ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}

  TORCH_ARG(std::int64_t, in_channels);
  TORCH_ARG(std::int64_t, out_channels);
  TORCH_ARG(torch::ExpandingArray<D>, kernel_size);
  TORCH_ARG(torch::ExpandingArray<D>, stride) = 1;
  TORCH_ARG(torch::ExpandingArray<D>, padding) = 0;
  /// Copies of the first pixel put in front of each axis before the zeros: 1 turns 56×56 into
  /// 57×57 exactly as a nearest-neighbour upsampling does.
  TORCH_ARG(torch::ExpandingArray<D>, replicate) = 0;
  TORCH_ARG(bool, bias) = true;
  /// Whether a batch norm follows the convolution.
  TORCH_ARG(bool, norm) = true;
  TORCH_ARG(Activation, activation) = Activation::elu;
  /// Average pooling after the activation; 0 means none. Padding counts in the divisor.
  TORCH_ARG(torch::ExpandingArray<D>, pool_kernel) = 0;
  TORCH_ARG(torch::ExpandingArray<D>, pool_stride) = 1;
  TORCH_ARG(torch::ExpandingArray<D>, pool_padding) = 0;
  /// Who computes it, wherever the block is used; empty: the process's default.
  TORCH_ARG(c10::optional<Kernels>, kernels) = c10::nullopt;
};

using ConvBlock2dOptions = ConvBlockOptions<2>;
using ConvBlock3dOptions = ConvBlockOptions<3>;

/// A drop-in for Conv → BatchNorm → activation (→ AvgPool) that trains thin layers at the speed of
/// the machine on CPUs (kernel/conv_block.hpp) and runs as plain LibTorch elsewhere. Parameters
/// carry LibTorch's own names (conv.weight, conv.bias, bn.weight, bn.bias, bn.running_mean, …) and
/// its default initialisation, so weights move freely between this and the plain layers.
template <std::size_t D, typename Derived>
class ConvBlockImpl : public torch::nn::Cloneable<Derived> {
 public:
  using Conv = std::conditional_t<D == 2, torch::nn::Conv2d, torch::nn::Conv3d>;
  using BatchNorm = std::conditional_t<D == 2, torch::nn::BatchNorm2d, torch::nn::BatchNorm3d>;

  explicit ConvBlockImpl(const ConvBlockOptions<D>& options_);

  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  /// x is N×C×(D×)H×W. With `streams` = 2 it holds x and g·x one after the other: batch statistics
  /// are taken for each, and the running averages are updated in order, as two passes would.
  at::Tensor forward(const at::Tensor& x, std::int64_t streams = 1);

  ConvBlockOptions<D> options;
  Conv conv{nullptr};
  BatchNorm bn{nullptr};

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, torch::nn::AnyValue(std::int64_t{1})})
};

class ConvBlock2dImpl : public ConvBlockImpl<2, ConvBlock2dImpl> {
 public:
  using ConvBlockImpl<2, ConvBlock2dImpl>::ConvBlockImpl;
};

class ConvBlock3dImpl : public ConvBlockImpl<3, ConvBlock3dImpl> {
 public:
  using ConvBlockImpl<3, ConvBlock3dImpl>::ConvBlockImpl;
};

TORCH_MODULE(ConvBlock2d);
TORCH_MODULE(ConvBlock3d);

/// Gives every block of a network its choice of kernels: the choice then travels with the network,
/// into whatever thread. Throws InputError for a network without blocks.
void choose_kernels(torch::nn::Module& module, Kernels choice);

}  // namespace algprior::nn
