#pragma once

#include <cmath>

#include <ATen/ATen.h>
#include <torch/nn/module.h>

namespace algprior::nn {

/// Fills every weight of two or more axes with normal numbers cut off at two deviations, of
/// variance 1/fan-in after the cut, and every "bias" with 0: how JAX's libraries begin. Draws from
/// LibTorch's CPU generator in the order of the parameters.
inline void start_truncated_normal(torch::nn::Module& module) {
  const at::NoGradGuard no_gradient;
  constexpr double kCut = 0.87962566103423978;      // deviation of a normal cut off at ±2
  constexpr double kBelowTwo = 0.9544997361036416;  // its share within ±2
  for (auto& item : module.named_parameters()) {
    at::Tensor& value = item.value();
    const std::string& name = item.key();
    if (value.dim() >= 2) {
      const double fan_in = static_cast<double>(value.numel() / value.size(0));
      const auto uniform = at::rand(value.sizes(), at::kDouble).mul(2.0).sub(1.0).mul(kBelowTwo);
      const double deviation = 1.0 / std::sqrt(fan_in) / kCut;
      value.copy_(at::erfinv(uniform).mul(std::sqrt(2.0) * deviation));
    } else if (name.size() >= 4 && name.compare(name.size() - 4, 4, "bias") == 0) {
      value.zero_();
    }
  }
}

}  // namespace algprior::nn
