#pragma once

#include <cstdint>

namespace algprior::kernel {

/// AdamStep in the precision of the kernel.
struct AdamNumbers {
  float beta1, beta2;
  float rest1, rest2;  ///< 1 − β, rounded once
  float epsilon;
  float step_size;      ///< learning rate / (1 − β₁^t)
  float second_factor;  ///< 1 / √(1 − β₂^t)
  float l2;             ///< weight decay added to the gradient
  float keep;           ///< 1 − learning rate · decoupled weight decay
};

/// One step of Adam on `count` floats. Not threaded.
void adam_stretch(const AdamNumbers& numbers, const float* gradient, std::int64_t count,
                  float* first, float* second, float* parameter);

}  // namespace algprior::kernel
