#pragma once

#include <string>

#include <ATen/core/Tensor.h>

namespace algprior {

/// What a message says of a tensor: "3 x 4 x 4", "a single number" where it has no axes, "no
/// tensor" where it is not defined.
std::string shape_text(const at::Tensor& tensor);
std::string shape_text(at::IntArrayRef sizes);

}  // namespace algprior
