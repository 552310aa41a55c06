#include "algprior/kernel/conv_block.hpp"

#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/ranks/batch_norm.hpp"
#include "tensors.hpp"
#include "winograd.hpp"

#include <ATen/ATen.h>

namespace algprior {
namespace {

// Offsets within a group of interleaved samples are 32-bit numbers.
bool small(const at::Tensor& x, const at::Tensor& weight) {
  constexpr std::int64_t kLargestSample = std::int64_t{1} << 24;
  const auto pixels = x.numel() / std::max<std::int64_t>(1, x.size(0) * x.size(1));
  return pixels * std::max(x.size(1), weight.size(0)) < kLargestSample;
}

// Plain sums, where oneDNN's own kernels are far from the peak of the machine. They are near it
// with many channels; fewer of them when the kernel is strided or the image narrow; and on single
// voxels.
bool thin(const at::Tensor& x, const at::Tensor& weight, const ConvBlockConfig& config) {
  constexpr std::int64_t kThinChannels = 64;
  constexpr std::int64_t kThinProduct = 32 * 64;
  constexpr std::int64_t kWide = 16;
  const auto out = weight.size(0);
  const auto in = weight.size(1);
  // Planar kernels of five rows need so many multiplications fewer that wider ones pay as well.
  const bool five = config.axes == 2 && weight.size(-2) == 5 && x.size(-1) >= kWide &&
                    config.stride == std::array{1, 1, 1};
  if (std::max(in, out) > (five ? 2 * kThinChannels : kThinChannels)) return false;
  if (weight.numel() == in * out && x.numel() == x.size(0) * x.size(1)) return false;
  const bool roomy = config.stride == std::array{1, 1, 1} && x.size(-1) >= kWide;
  return in * out < kThinProduct || roomy;
}

// Planar 3×3 kernels between many channels and very few, where oneDNN pads the few to whole
// vectors.
bool lopsided(const ConvShape& shape) {
  constexpr int kFewChannels = 16;
  constexpr int kWideRow = 32;
  return kernel::winograd_applies(shape) && shape.kernel[2] == 3 && shape.in[2] >= kWideRow &&
         std::min(shape.in_channels, shape.out_channels) < kFewChannels;
}

}  // namespace

bool kernel::block_served(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                          const BatchNormTensors& norm) {
  for (const auto& tensor : {bias, norm.weight, norm.bias, norm.running_mean, norm.running_var})
    if (tensor.defined() && !(served(tensor) && tensor.is_contiguous())) return false;
  return served(x) && served(weight);
}

bool kernel::native_serves(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                           const BatchNormTensors& norm, const ConvBlockConfig& config) {
  const auto choice = config.kernels.value_or(kernels());
  if (choice == Kernels::torch) return false;
  if (norm.defined() && config.training && synchronises_batch_norms()) return false;
  if (!kernel::block_served(x, weight, bias, norm)) return false;
  if (!small(x, weight)) return false;
  if (choice == Kernels::native || thin(x, weight, config)) return true;
  if (config.axes == 2 && kernel::is_product(x, weight, norm, config)) return true;
  const auto shape = kernel::conv_shape(x, weight, config);
  return kernel::winograd_serves(shape) || lopsided(shape);
}

ConvShape kernel::conv_shape(const at::Tensor& x, const at::Tensor& weight,
                             const ConvBlockConfig& config) {
  ConvShape shape;
  shape.batch = x.size(0);
  shape.in_channels = static_cast<int>(weight.size(1));
  shape.out_channels = static_cast<int>(weight.size(0));
  for (int axis = 3 - config.axes; axis < 3; ++axis) {
    const int tensor_axis = 2 + axis - (3 - config.axes);
    shape.in[axis] = static_cast<int>(x.size(tensor_axis));
    shape.kernel[axis] = static_cast<int>(weight.size(tensor_axis));
  }
  shape.stride = config.stride;
  shape.padding = config.padding;
  shape.replicate = config.replicate;
  return shape;
}

bool kernel::is_product(const at::Tensor& x, const at::Tensor& weight, const BatchNormTensors& norm,
                        const ConvBlockConfig& config) {
  const bool pixels = weight.numel() == weight.size(0) * weight.size(1) &&
                      x.numel() == x.size(0) * x.size(1) && x.numel() > 0;
  return pixels && config.padding == std::array{0, 0, 0} &&
         config.replicate == std::array{0, 0, 0} && !norm.defined() && !config.pool.any() &&
         config.activation == Activation::identity;
}

at::Tensor conv_block(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                      const BatchNormTensors& norm, const ConvBlockConfig& config) {
  kernel::check_block(x, weight, bias, norm, config);  // before anything asks for shapes
  return translated("a convolution block cannot be computed", "", [&] {
    return kernel::native_serves(x, weight, bias, norm, config)
               ? conv_block_native(x, weight, bias, norm, config)
               : conv_block_torch(x, weight, bias, norm, config);
  });
}

}  // namespace algprior
