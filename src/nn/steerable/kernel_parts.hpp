#pragma once

#include "algprior/nn/steerable/kernel_map.hpp"

namespace algprior::steerable {

/// Fields out × fields in × (out · in · points) as a kernel.
at::Tensor as_kernel(const at::Tensor& pairs, const KernelSpace& where,
                     const std::vector<std::int64_t>& shape);

/// A row of normal numbers for each pair of fields, deviation 1/√(T·N): T kinds of irreducible
/// representations reach the part of the output, N weights from this one's kind.
at::Tensor start_weights(const KernelSpace& where, const std::vector<std::int64_t>& out_place,
                         const std::vector<std::int64_t>& in_irrep);

/// The numbers 0, 1, …, each as often as asked.
std::vector<std::int64_t> repeat_each(const std::vector<std::int64_t>& times);

/// values[rows[0]], values[rows[1]], ….
std::vector<std::int64_t> pick(const std::vector<std::int64_t>& values,
                               const std::vector<std::int64_t>& rows);

/// Weights of rows that are listed several times, added up.
at::Tensor fold(const at::Tensor& weight, const at::Tensor& rows, std::int64_t count);

/// lambda_averaged for continuous groups.
KernelMap coupled_average(const KernelSpace& where, const Likelihood& likelihood,
                          const AveragedOptions& options);

}  // namespace algprior::steerable
