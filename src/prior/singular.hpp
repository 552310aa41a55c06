#pragma once

#include <string>

#include <ATen/core/Tensor.h>

namespace algprior {

/// A⁻¹ by a linear solve, differentiated through it. A singular d×d matrix throws DivergedError
/// that names the generator; among S×d×d the singular ones give entries that are not finite.
at::Tensor differentiable_inverse(const at::Tensor& matrix, const std::string& name);

}  // namespace algprior
