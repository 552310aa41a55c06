#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Adam's settings, LibTorch's defaults. Weight decay is the classical L2 term added to the
/// gradient (`decoupled` = false) or the shrinking of AdamW (`decoupled` = true).
struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  bool decoupled = false;
};

/// Step number `count` (from 1) of Adam or AdamW on flat buffers of one length, in place: one pass
/// over gradient, both moments and parameter. Each number is treated alike, so threads and cuts
/// change no bit. float32 on the CPU goes through the SIMD kernel unless kernels() says torch.
void adam_step(const AdamOptions& options, std::int64_t count, const at::Tensor& gradient,
               const at::Tensor& first, const at::Tensor& second, const at::Tensor& parameter);

/// The plain LibTorch twin, to the bit torch::optim::Adam and AdamW.
void adam_step_torch(const AdamOptions& options, std::int64_t count, const at::Tensor& gradient,
                     const at::Tensor& first, const at::Tensor& second,
                     const at::Tensor& parameter);

}  // namespace algprior
