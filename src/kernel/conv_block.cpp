#include "algprior/kernel/conv_block.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/kernels.hpp"

#include <ATen/ATen.h>

namespace algprior {
namespace {

void check(const at::Tensor& x, const at::Tensor& weight, const ConvBlockConfig& config) {
  const auto fail = [&](const std::string& where, const std::string& expected) {
    throw InputError({"a convolution block got a tensor that does not fit", where, expected,
                      "check the shape of the batch and the options of the block"});
  };
  if (x.dim() != 2 + config.axes)
    fail(std::to_string(x.dim()) + " axes", std::to_string(2 + config.axes) + " axes");
  if (x.size(1) != weight.size(1))
    fail(std::to_string(x.size(1)) + " channels", std::to_string(weight.size(1)) + " channels");
  if (config.streams < 1 || x.size(0) % config.streams != 0)
    fail(std::to_string(x.size(0)) + " samples in " + std::to_string(config.streams) + " streams",
         "a batch that the number of streams divides");
  for (int axis = 0; axis < config.axes; ++axis) {
    const int a = 3 - config.axes + axis;
    const auto padded = config.replicate[a] + x.size(2 + axis) + 2 * config.padding[a];
    if (padded < weight.size(2 + axis))
      fail("a padded axis of " + std::to_string(padded) + " pixels",
           "at least the kernel's " + std::to_string(weight.size(2 + axis)));
    const auto out = (padded - weight.size(2 + axis)) / config.stride[a] + 1;
    if (config.pool.any() && out + 2 * config.pool.padding[a] < config.pool.kernel[a])
      fail("a pooled axis of " + std::to_string(out) + " pixels",
           "at least the window's " + std::to_string(config.pool.kernel[a]) + " with its padding");
  }
}

bool served(const at::Tensor& tensor) {
  return !tensor.defined() || (tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat &&
                               tensor.layout() == at::kStrided);
}

// Beyond this many channels oneDNN's own kernels are near the peak of the machine.
bool thin(const at::Tensor& weight) {
  constexpr std::int64_t kThinChannels = 64;
  return weight.size(0) <= kThinChannels && weight.size(1) <= kThinChannels;
}

bool native(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
            const BatchNormTensors& norm) {
  const auto choice = kernels();
  if (choice == Kernels::torch) return false;
  for (const auto& tensor : {x, weight, bias, norm.weight, norm.bias, norm.running_mean})
    if (!served(tensor)) return false;
  return choice == Kernels::native || thin(weight);
}

}  // namespace

at::Tensor conv_block(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                      const BatchNormTensors& norm, const ConvBlockConfig& config) {
  check(x, weight, config);
  if (native(x, weight, bias, norm)) return conv_block_native(x, weight, bias, norm, config);
  return conv_block_torch(x, weight, bias, norm, config);
}

}  // namespace algprior
