#pragma once

#include "algprior/ranks/place.hpp"

#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>

namespace algprior {

/// Who sums a tensor over the ranks.
enum class Transport {
  gloo,       ///< where it stands, on the CPU
  nccl,       ///< where it stands, on a GPU
  gloo_copy,  ///< a copy of it on the CPU
};

/// By where the tensor is, and whether this program was built with NCCL.
Transport transport_of(c10::DeviceType device, bool with_nccl) noexcept;

/// Whether it was: LibTorch has NCCL, and its headers and CUDA's were there.
bool built_with_nccl() noexcept;

using BeginSum = std::function<c10::intrusive_ptr<c10d::Work>(std::vector<at::Tensor>&)>;

/// Sums of tensors on this rank's GPU by NCCL, which the ranks set up at their first sum. Waiting
/// for one blocks until it is there, and throws after the timeout. Throws InputError without NCCL.
BeginSum make_nccl_sum(const RankPlace& place, const c10::intrusive_ptr<c10d::Store>& store);

}  // namespace algprior
