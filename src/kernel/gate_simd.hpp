#pragma once

#include <cstdint>

namespace algprior::kernel {

/// One field of one sample: planes of `size` floats, first the gates, then the parts of gate 0, of
/// gate 1, ….
struct GateField {
  std::int64_t gates = 1;
  const std::int64_t* parts = nullptr;  ///< planes that each gate opens
  std::int64_t size = 0;
};

/// y = sigmoid(u_gate)·u for u = scale·x + shift, plane by plane. Not threaded.
void gate_forward(const GateField& field, const float* x, const float* scale, const float* shift,
                  float* y);

/// Its gradients: dx is overwritten; dscale and dshift receive one number a plane.
void gate_backward(const GateField& field, const float* x, const float* scale, const float* shift,
                   const float* dy, float* dx, double* dscale, double* dshift);

}  // namespace algprior::kernel
