#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include <torch/autograd.h>
#include <torch/types.h>

namespace algprior {

/// Largest difference between the gradient that f reports and its central difference quotients,
/// relative to the largest entry of the gradient. f maps double tensors to one number. A few
/// entries of each tensor are taken, evenly spread. The library's answer to Python's gradcheck.
inline double gradient_error(const std::function<at::Tensor(const std::vector<at::Tensor>&)>& f,
                             const std::vector<at::Tensor>& at, double step = 1e-5,
                             std::int64_t entries = 12) {
  std::vector<at::Tensor> leaves;
  for (const auto& tensor : at) leaves.push_back(tensor.detach().clone().requires_grad_());
  f(leaves).backward();
  double worst = 0.0;
  double largest = 0.0;
  torch::NoGradGuard no_grad;
  for (const auto& leaf : leaves) {
    auto flat = leaf.view({-1});
    const auto gradient = leaf.grad().view({-1});
    largest = std::max(largest, gradient.abs().max().item<double>());
    const auto stride = std::max<std::int64_t>(1, flat.numel() / entries);
    for (std::int64_t i = 0; i < flat.numel(); i += stride) {
      const double value = flat[i].item<double>();
      flat[i] = value + step;
      const double above = f(leaves).item<double>();
      flat[i] = value - step;
      const double below = f(leaves).item<double>();
      flat[i] = value;
      const double quotient = (above - below) / (2 * step);
      worst = std::max(worst, std::abs(quotient - gradient[i].item<double>()));
    }
  }
  return worst / largest;
}

}  // namespace algprior
