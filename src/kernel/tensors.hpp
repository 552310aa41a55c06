#pragma once

#include "algprior/base/error.hpp"
#include "algprior/kernel/conv_block.hpp"
#include "algprior/kernel/gate.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

namespace algprior::kernel {

/// Whether the kernels can take the tensor: float32 on the CPU. An undefined one is no obstacle.
inline bool served(const at::Tensor& tensor) {
  return !tensor.defined() || (tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat &&
                               tensor.layout() == at::kStrided);
}

/// For the backward pass of a function whose gradient is arithmetic on raw pointers: refuses a
/// second derivative, which would silently lack terms.
inline void refuse_second_derivative() {
  if (!at::GradMode::is_enabled()) return;
  throw InputError({"the kernels have no second derivative", "backward with create_graph",
                    "first derivatives", "compute this loss under Kernels::torch"});
}

/// The last `axes` of (depth, height, width), as LibTorch's functions take them.
inline std::vector<std::int64_t> last_axes(const std::array<int, 3>& values, std::int64_t axes) {
  return {values.end() - axes, values.end()};
}

/// The convolution of a block (conv_block.cpp).
ConvShape conv_shape(const at::Tensor& x, const at::Tensor& weight, const ConvBlockConfig& config);

/// Whether the kernels can take all of a block's tensors, the numbers of its channels side by side.
bool block_served(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                  const BatchNormTensors& norm);

/// Whether the rule of conv_block gives a block to the kernels.
bool native_serves(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                   const BatchNormTensors& norm, const ConvBlockConfig& config);

/// Throw InputError for options that make no sense and for tensors that do not fit a block
/// (check_block.cpp).
void check_pool(const Pool& pool);
void check_block(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                 const BatchNormTensors& norm, const ConvBlockConfig& config);

/// Throws InputError unless the gates of a layout and what they open are the channels (gate.cpp).
void check_gates(const GateLayout& layout, std::int64_t channels, const at::Tensor& scale,
                 const at::Tensor& shift);

/// Whether the block is nothing but a matrix product: a 1×1 kernel alone, on single pixels.
bool is_product(const at::Tensor& x, const at::Tensor& weight, const BatchNormTensors& norm,
                const ConvBlockConfig& config);

}  // namespace algprior::kernel
