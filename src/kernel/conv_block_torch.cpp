#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/conv_block.hpp"
#include "algprior/ranks/batch_norm.hpp"
#include "tensors.hpp"

#include <ATen/ATen.h>

namespace algprior {
namespace {

// Index of the source pixel for each pixel of an axis lengthened by `count` copies of the first.
at::Tensor replicate_axis(const at::Tensor& x, std::int64_t axis, int count) {
  if (count == 0) return x;
  const auto index = at::arange(-count, x.size(axis), at::device(x.device()).dtype(at::kLong));
  return x.index_select(axis, index.clamp_min(0));
}

at::Tensor activate(const at::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::identity:
      return x;
    case Activation::elu:
      return at::elu(x);
    case Activation::relu:
      return at::relu(x);
    case Activation::tanh:
      return at::tanh(x);
    case Activation::gelu:
      return at::gelu(x);
  }
  return x;
}

}  // namespace

at::Tensor conv_block_torch(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                            const BatchNormTensors& norm, const ConvBlockConfig& config) {
  kernel::check_block(x, weight, bias, norm, config);
  const int axes = config.axes;
  auto y = x;
  for (int axis = 0; axis < axes; ++axis)
    y = replicate_axis(y, 2 + axis, config.replicate[3 - axes + axis]);

  const auto stride = kernel::last_axes(config.stride, axes);
  const auto padding = kernel::last_axes(config.padding, axes);
  y = axes == 2 ? at::conv2d(y, weight, bias, stride, padding)
                : at::conv3d(y, weight, bias, stride, padding);

  if (norm.defined()) {
    auto streams = y.chunk(config.streams, 0);
    const bool synchronised = config.training && synchronises_batch_norms();
    for (auto& stream : streams)
      stream =
          synchronised
              ? synchronised_batch_norm(stream, norm.weight, norm.bias, norm.running_mean,
                                        norm.running_var, config.momentum, config.eps)
              : at::batch_norm(stream, norm.weight, norm.bias, norm.running_mean, norm.running_var,
                               config.training, config.momentum, config.eps, false);
    y = config.streams == 1 ? streams[0] : at::cat(streams, 0);
  }
  y = activate(y, config.activation);
  return config.pool.any() ? average_pool_torch(y, config.pool) : y;
}

}  // namespace algprior
