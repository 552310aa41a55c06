#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior::kernel {

/// Whether the kernels can take the tensor: float32 on the CPU. An undefined one is no obstacle.
inline bool served(const at::Tensor& tensor) {
  return !tensor.defined() || (tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat &&
                               tensor.layout() == at::kStrided);
}

/// The last `axes` of (depth, height, width), as LibTorch's functions take them.
inline std::vector<std::int64_t> last_axes(const std::array<int, 3>& values, std::int64_t axes) {
  return {values.end() - axes, values.end()};
}

}  // namespace algprior::kernel
