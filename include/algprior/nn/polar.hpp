#pragma once

#include <ATen/core/Tensor.h>

namespace algprior::nn {

/// Which matrices a polar factor is taken from.
enum class Polar {
  orthogonal,  ///< the nearest with orthonormal columns: UVᵀ of X = USVᵀ
  special,  ///< the nearest rotation: the last singular direction is turned where det(UVᵀ) = −1
};

/// The polar factor R of X, …×N×k with N ≥ k (square for `special`). Its gradient has the divisors
/// s_i + s_j alone, damped as t/(t² + 1e-8), and none of the differences s_i² − s_j² by which an
/// SVD is differentiated: it stays finite where singular values meet. Differentiable once. Throws
/// InputError for other shapes.
at::Tensor polar_factor(const at::Tensor& x, Polar which = Polar::orthogonal);

}  // namespace algprior::nn
