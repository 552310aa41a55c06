#pragma once

#include "algprior/kernel/gate.hpp"
#include "algprior/nn/steerable/field.hpp"

#include <cstdint>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/pimpl.h>

namespace algprior::steerable {

/// x ↦ scale·x + shift, a number a channel.
struct Affine {
  at::Tensor scale, shift;
};

/// Batch norm that keeps fields fields: means are taken from trivial parts only, one variance for
/// each field (the mean of its channels' unbiased variances), one scale a field, one shift a
/// trivial part. No gradient flows through the statistics. Running averages with momentum 0.1.
class FieldNormImpl : public torch::nn::Module {
 public:
  explicit FieldNormImpl(const Fields& fields);

  /// What it does to this batch; updates the running averages in training.
  Affine affine(const at::Tensor& x);
  at::Tensor forward(const at::Tensor& x);

 private:
  std::int64_t copies_;
  at::Tensor invariants_;  // directions of the trivial parts, a column each
  at::Tensor scale_, shift_, mean_, variance_;
};
TORCH_MODULE(FieldNorm);

/// Ordinary batch norm with statistics, scale and shift shared by the channels of a field: for
/// permutation representations.
class InnerNormImpl : public torch::nn::Module {
 public:
  explicit InnerNormImpl(const Fields& fields);
  at::Tensor forward(const at::Tensor& x);

 private:
  torch::nn::BatchNorm2d norm_{nullptr};
  std::int64_t copies_;
};
TORCH_MODULE(InnerNorm);

/// Fields of with_gates(type) to fields of the type: each irreducible part times
/// sigmoid(gate − bias), a bias for each gate, N(0, 1) at the start.
class GateImpl : public torch::nn::Module {
 public:
  explicit GateImpl(const Fields& features);
  /// Of x under an affine map that leaves fields fields (a norm's), or of x itself.
  at::Tensor forward(const at::Tensor& x, const Affine& affine = {});

 private:
  GateLayout layout_;
  at::Tensor bias_;
};
TORCH_MODULE(Gate);

/// ELU of functions on a finite group whose Fourier coefficients the fields hold: x ↦ Aᵀ ELU(A x),
/// A the inverse transform to all elements. With all coefficients it is a pointwise ELU of the
/// regular representation.
struct FourierElu {
  at::Tensor inverse;  ///< A, elements × coefficients, columns orthonormal
  std::int64_t copies = 1;

  at::Tensor operator()(const at::Tensor& x) const;
};

/// Throws InputError unless the field is of irreducible parts, none more often than the regular
/// representation has it.
FourierElu make_fourier_elu(const Fields& fields);

/// The channels of a field after applying an activation to each: equivariant for permutation
/// representations only. Throws InputError for others.
void check_pointwise(const FieldType& field);

/// A depth-wise convolution with the 5-point Gaussian exp(−|x|²/2σ²), normalised, zeros outside.
at::Tensor gaussian_pool(const at::Tensor& x, std::int64_t stride, std::int64_t padding,
                         double sigma = 0.66);

/// 1 within the disc inscribed in side×side pixels (0.99 of its radius), falling off as
/// exp(−(|x|² − r²)/4) outside: corners, which turns move out of sight, are not seen.
at::Tensor disc_mask(std::int64_t side);

}  // namespace algprior::steerable
