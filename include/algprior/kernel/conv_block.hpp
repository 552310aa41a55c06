#pragma once

#include "algprior/kernel/conv.hpp"
#include "algprior/kernel/kernels.hpp"

#include <array>
#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Parameters and running averages of a batch norm. All undefined: no normalisation.
struct BatchNormTensors {
  at::Tensor weight;        ///< γ, one number a channel
  at::Tensor bias;          ///< β
  at::Tensor running_mean;  ///< updated in place in training
  at::Tensor running_var;   ///< unbiased, updated in place in training

  bool defined() const { return weight.defined(); }
};

/// One thin convolution with what follows it. Axes are (depth, height, width); a planar block has
/// depth 1 and its tensors have four axes, a volume block's have five.
struct ConvBlockConfig {
  int axes = 2;  ///< 2: N×C×H×W, 3: N×C×D×H×W
  std::array<int, 3> stride = {1, 1, 1};
  std::array<int, 3> padding = {0, 0, 0};  ///< zeros on both sides, after the replicated pixels
  std::array<int, 3> replicate = {0, 0,
                                  0};  ///< copies of the first pixel put in front of each axis
  Activation activation = Activation::elu;
  Pool pool;             ///< average pooling after the activation
  bool training = true;  ///< batch statistics, else the running averages
  double momentum = 0.1;
  double eps = 1e-5;
  std::int64_t streams = 1;             ///< x holds this many batches one after another
  std::optional<Kernels> kernels = {};  ///< who computes it; empty: the process's default
};

/// pool(activation(batch_norm(conv(x) + bias))), differentiable once in x, weight, bias, γ and β.
/// With streams = 2 the batch is x followed by g·x: statistics are taken per stream, and the
/// running averages are updated stream by stream, exactly as two separate passes would.
/// Throws InputError on shapes that do not fit.
at::Tensor conv_block(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                      const BatchNormTensors& norm, const ConvBlockConfig& config);

/// The plain LibTorch twin: any device, any floating dtype, differentiable any number of times.
at::Tensor conv_block_torch(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                            const BatchNormTensors& norm, const ConvBlockConfig& config);

/// The SIMD kernels: float32 tensors on the CPU.
at::Tensor conv_block_native(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                             const BatchNormTensors& norm, const ConvBlockConfig& config);

}  // namespace algprior
