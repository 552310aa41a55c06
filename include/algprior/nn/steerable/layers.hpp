#pragma once

#include "algprior/kernel/conv_gate.hpp"
#include "algprior/nn/steerable/conv.hpp"

#include <cstdint>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/pimpl.h>

namespace algprior::steerable {

/// Batch norm that keeps fields fields: means are taken from trivial parts only, one variance for
/// each field (the mean of its channels' unbiased variances), one scale a field, one shift a
/// trivial part. No gradient flows through the statistics. Running averages with momentum 0.1.
class FieldNormImpl : public torch::nn::Module {
 public:
  explicit FieldNormImpl(const Fields& fields);

  /// What it does to a batch with these statistics; in training it needs them and updates the
  /// running averages.
  Affine affine(const BatchMoments& batch);
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
  std::int64_t copies_, channels_;
};
TORCH_MODULE(InnerNorm);

/// Fields of with_gates(type) to fields of the type: each irreducible part times
/// sigmoid(gate − bias), a bias for each gate, N(0, 1) at the start.
class GateImpl : public torch::nn::Module {
 public:
  explicit GateImpl(const Fields& features);
  at::Tensor forward(const at::Tensor& x);
  /// An affine map that leaves fields fields (a norm's, or none), with the biases behind it.
  Affine with_biases(const Affine& affine) const;
  const GateLayout& layout() const { return layout_; }

 private:
  GateLayout layout_;
  at::Tensor bias_;
};
TORCH_MODULE(Gate);

/// pool(gate(norm(conv(x)))) with one function of the kernels where they serve. No norm: an empty
/// module; no pool: none.
at::Tensor gated_conv(const at::Tensor& x, SteerableConv conv, FieldNorm norm, Gate gate,
                      const Pool& pool = {});

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

/// The window of five points along each axis with the weights exp(−|x|²/2σ²), σ = 0.66, normalised,
/// zeros outside; and the depth-wise convolution with it. Throw InputError unless there are 2 or 3
/// axes, the stride is at least 1 and the padding from 0 to 4.
Pool gaussian_window(int axes, int stride, int padding);
at::Tensor gaussian_pool(const at::Tensor& x, int stride, int padding);

/// 1 within the disc inscribed in side×side pixels (0.99 of its radius), falling off as
/// exp(−(|x|² − r²)/4) outside: corners, which turns move out of sight, are not seen.
at::Tensor disc_mask(std::int64_t side);

}  // namespace algprior::steerable
