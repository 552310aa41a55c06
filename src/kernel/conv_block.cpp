#include "algprior/kernel/conv_block.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/kernels.hpp"

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
}

}  // namespace

at::Tensor conv_block(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                      const BatchNormTensors& norm, const ConvBlockConfig& config) {
  check(x, weight, config);
  return conv_block_torch(x, weight, bias, norm, config);
}

}  // namespace algprior
