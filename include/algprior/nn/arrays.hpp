#pragma once

#include "algprior/io/array.hpp"

#include <ATen/core/Tensor.h>

namespace algprior {

/// A tensor with the values of an array (a copy). Throws InputError for the unsigned types that
/// LibTorch does not have (uint16, uint32, uint64).
at::Tensor to_tensor(const io::Array& array);

/// The values of a tensor, from any device, row-major (a copy). Throws InputError for complex and
/// quantised tensors.
io::Array to_array(const at::Tensor& tensor);

}  // namespace algprior
