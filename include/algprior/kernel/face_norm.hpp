#pragma once

#include "algprior/kernel/pad_faces.hpp"

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace algprior {

/// An instance norm of samples that consist of faces.
struct FaceNorm {
  std::int64_t faces = 1;
  at::Tensor weight, bias;  ///< γ and β, a number a channel
  double eps = 1e-6;
};

/// SiLU(γ·(x − μ)/√(σ² + ε) + β), with μ and σ² of each sample and channel over all faces of the
/// sample, and, where a padding is given, every face of it padded. x has the faces of a sample one
/// after the other in the batch, (N·F)×C×H×W; the result is of that shape, or
/// (N·F)×C×(H+2)×(W+2). Differentiable once in x, γ and β. Where the kernels serve (float32 on the
/// CPU, unless Kernels::torch), one pass over memory; elsewhere its twin. Throws InputError for
/// faces or channels that do not fit.
at::Tensor norm_faces(const at::Tensor& x, const FaceNorm& norm,
                      const FacePadding* padding = nullptr);

/// The plain LibTorch twin: any device, differentiable any number of times.
at::Tensor norm_faces_torch(const at::Tensor& x, const FaceNorm& norm,
                            const FacePadding* padding = nullptr);

}  // namespace algprior
