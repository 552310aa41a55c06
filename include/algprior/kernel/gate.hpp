#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Channels as fields: in each field first the gates, then the channels that gate 0 opens, those of
/// gate 1, ….
struct GateLayout {
  std::int64_t fields = 1;
  std::vector<std::int64_t> parts;  ///< channels that each gate opens

  std::int64_t gates() const { return static_cast<std::int64_t>(parts.size()); }
  std::int64_t features() const;
};

/// sigmoid(u_gate)·u of the channels that gates open, for u = scale·x + shift with one number a
/// channel: N×C×… to N×(C without gates)×…. Differentiable once in x, scale and shift. Where the
/// kernels serve (float32 on the CPU, unless Kernels::torch), one pass over memory; elsewhere its
/// twin. Throws InputError for channels that do not fit.
at::Tensor gate_fields(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                       const GateLayout& layout);

/// The plain LibTorch twin: any device, differentiable any number of times.
at::Tensor gate_fields_torch(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                             const GateLayout& layout);

}  // namespace algprior
