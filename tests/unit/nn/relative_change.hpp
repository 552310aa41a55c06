#pragma once

#include <ATen/ATen.h>

namespace algprior {

/// ‖a − b‖ / ‖a‖
inline double relative_change(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).norm() / a.norm()).item<double>();
}

}  // namespace algprior
