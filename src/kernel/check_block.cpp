#include "algprior/base/error.hpp"
#include "plane.hpp"
#include "tensors.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <ATen/ATen.h>

namespace algprior::kernel {
namespace {

// So large that no image reaches it, so small that sums of a few do not overflow.
constexpr int kLargestOption = 1 << 20;

void check_axes(const char* what, const std::array<int, 3>& values, int least) {
  for (const int value : values) {
    if (value >= least && value <= kLargestOption) continue;
    throw InputError({"an option of a convolution or a pool makes no sense",
                      std::string(what) + " " + std::to_string(value),
                      "at least " + std::to_string(least), ""});
  }
}

[[noreturn]] void refuse(const std::string& where, const std::string& expected) {
  throw InputError({"a convolution block got a tensor that does not fit", where, expected,
                    "check the shape of the batch and the options of the block"});
}

void check_config(const ConvBlockConfig& config) {
  check_axes("stride", config.stride, 1);
  check_axes("padding", config.padding, 0);
  check_axes("replicate", config.replicate, 0);
  if (config.axes != 2 && config.axes != 3)
    refuse(std::to_string(config.axes) + " axes", "2 for images or 3 for volumes");
  if (config.axes == 2 &&
      (config.stride[0] != 1 || config.padding[0] != 0 || config.replicate[0] != 0))
    refuse("a planar block that moves in depth", "stride 1 and no padding along the first axis");
  if (!config.pool.any()) return;
  check_pool(config.pool);
  if (config.axes == 2 && config.pool.kernel[0] != 1)
    refuse("a planar block that pools in depth", "a window of 1 along the first axis");
}

void check_channels(const char* what, const at::Tensor& numbers, std::int64_t channels) {
  if (!numbers.defined() || (numbers.dim() == 1 && numbers.size(0) == channels)) return;
  refuse(std::string(what) + " of " + std::to_string(numbers.numel()) + " numbers",
         std::to_string(channels) + ", one a channel");
}

}  // namespace

void check_pool(const Pool& pool) {
  check_axes("pool kernel", pool.kernel, 1);
  check_axes("pool stride", pool.stride, 1);
  check_axes("pool padding", pool.padding, 0);
  for (std::size_t a = 0; a < 3; ++a) {
    if (2 * pool.padding[a] <= pool.kernel[a]) continue;
    throw InputError({"a pool is padded by more than half of its window",
                      "padding " + std::to_string(pool.padding[a]),
                      "at most half of " + std::to_string(pool.kernel[a]), ""});
  }
  const int widest = *std::max_element(pool.kernel.begin(), pool.kernel.end());
  if (std::isfinite(pool.sigma) && (pool.sigma <= 0 || widest <= kLargestGaussian)) return;
  throw InputError(
      {"a Gaussian window is too wide",
       "sigma " + std::to_string(pool.sigma) + ", " + std::to_string(widest) + " taps",
       "a finite sigma and at most " + std::to_string(kLargestGaussian) + " taps an axis",
       "take a smaller window"});
}

void check_block(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                 const BatchNormTensors& norm, const ConvBlockConfig& config) {
  check_config(config);
  const int axes = 2 + config.axes;
  if (!x.defined() || x.dim() != axes)
    refuse(x.defined() ? std::to_string(x.dim()) + " axes" : "no tensor",
           std::to_string(axes) + " axes");
  if (!weight.defined() || weight.dim() != axes || weight.numel() == 0)
    refuse("a kernel without entries or of other axes", std::to_string(axes) + " axes");
  if (x.size(1) != weight.size(1))
    refuse(std::to_string(x.size(1)) + " channels", std::to_string(weight.size(1)) + " channels");
  check_channels("a bias", bias, weight.size(0));
  for (const auto& tensor : {norm.weight, norm.bias, norm.running_mean, norm.running_var})
    check_channels("a batch norm", tensor, weight.size(0));
  const bool whole =
      norm.bias.defined() && norm.running_mean.defined() && norm.running_var.defined();
  if (norm.defined() && !whole)
    refuse("a batch norm without all of its tensors", "weight, bias, running mean and variance");
  if (config.streams < 1 || x.size(0) % config.streams != 0)
    refuse(std::to_string(x.size(0)) + " samples in " + std::to_string(config.streams) + " streams",
           "a batch that the number of streams divides");
  std::int64_t values = x.size(0) / config.streams;
  for (int axis = 0; axis < config.axes; ++axis) {
    const auto a = static_cast<std::size_t>(3 - config.axes + axis);
    const auto padded = config.replicate[a] + x.size(2 + axis) + 2 * config.padding[a];
    if (padded < weight.size(2 + axis))
      refuse("a padded axis of " + std::to_string(padded) + " pixels",
             "at least the kernel's " + std::to_string(weight.size(2 + axis)));
    const auto out = (padded - weight.size(2 + axis)) / config.stride[a] + 1;
    values *= out;
    if (config.pool.any() && out + 2 * config.pool.padding[a] < config.pool.kernel[a])
      refuse(
          "a pooled axis of " + std::to_string(out) + " pixels",
          "at least the window's " + std::to_string(config.pool.kernel[a]) + " with its padding");
  }
  if (norm.defined() && config.training && values < 2)
    refuse(std::to_string(values) + " values a channel and stream",
           "at least 2 for the statistics of a batch norm in training");
}

}  // namespace algprior::kernel
