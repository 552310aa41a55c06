#pragma once

#include "algprior/nn/steerable/basis.hpp"

#include <ATen/ATen.h>

namespace algprior::steerable {

/// A matrix in double as a tensor of float32, on the CPU.
inline at::Tensor to_float_tensor(const RowMatrix& matrix) {
  return at::from_blob(const_cast<double*>(matrix.data()), {matrix.rows(), matrix.cols()},
                       at::TensorOptions(at::kDouble))
      .to(at::kFloat);
}

}  // namespace algprior::steerable
