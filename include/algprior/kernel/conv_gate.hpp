#pragma once

#include "algprior/kernel/conv_block.hpp"
#include "algprior/kernel/gate.hpp"
#include "algprior/ranks/batch_norm.hpp"

#include <functional>

#include <ATen/core/Tensor.h>

namespace algprior {

/// x ↦ scale·x + shift, a number a channel.
struct Affine {
  at::Tensor scale, shift;
};

/// A convolution between fields with what follows it in a gated network.
struct ConvGateConfig {
  ConvBlockConfig conv;  ///< axes, stride, padding and kernels of it; no activation, no pool
  GateLayout layout;
  Pool pool;              ///< after the gates
  bool measured = false;  ///< whether the affine map wants moments; else it gets undefined ones
};

/// pool(gate(affine(conv(x) + bias))), where the affine map, as wide as the convolution's output,
/// is made from the moments of that output's channels, through which no gradient flows.
/// Differentiable once in x, weight, bias, scale and shift. Where the kernels serve the
/// convolution, its gradient passes through pool and gates sample by sample in the cache: nothing
/// of the size of the gated output is stored beside conv(x). Elsewhere the parts one after the
/// other. Throws InputError for shapes that do not fit.
at::Tensor conv_gate(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                     const ConvGateConfig& config,
                     const std::function<Affine(const BatchMoments&)>& affine);

/// The moments of the channels of y (N×C×…), where ranks synchronise their batch norms over all
/// ranks.
BatchMoments channel_moments(const at::Tensor& y);

}  // namespace algprior
