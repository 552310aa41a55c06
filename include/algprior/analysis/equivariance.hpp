#pragma once

#include "algprior/action/action.hpp"

#include <ATen/core/Tensor.h>

namespace algprior {

/// The mean of (z − z̄)² over samples and coordinates, in float64: the scale by which an
/// equivariance loss is to be judged. A network whose next layer normalises can lower that loss by
/// shrinking z.
double latent_spread(const at::Tensor& z);

/// How far an encoder is from equivariance, relative to the spread of what it encodes:
///   sqrt( mean ‖E(gx) − ρ(g)E(x)‖² / mean ‖E(x) − Ē‖² )
/// from z = E(x), zg = E(gx) and one element g a sample. 0 for an equivariant encoder, about √2
/// when z and zg are unrelated. In float64. NaN when the encoder is constant. Throws InputError
/// when the shapes differ.
double equivariance_error(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                          const at::Tensor& g);

}  // namespace algprior
