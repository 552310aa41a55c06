#include "algprior/ranks/shared_batch.hpp"

#include "algprior/ranks/world.hpp"

#include <atomic>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace algprior {
namespace {

std::atomic<bool> batch_is_shared{false};

at::Tensor summed_copy(const at::Tensor& own) {
  const auto sum = own.detach().clone(at::MemoryFormat::Contiguous);
  world().sum(sum);
  return sum;
}

struct SumOfShares : torch::autograd::Function<SumOfShares> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& own) {
    return summed_copy(own);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 torch::autograd::variable_list gradients) {
    return {summed_copy(gradients[0])};
  }
};

}  // namespace

bool shares_batch() noexcept {
  return batch_is_shared.load(std::memory_order_relaxed) && !world().alone();
}

SharedBatchScope::SharedBatchScope(bool shared) noexcept
    : before_(batch_is_shared.exchange(shared)) {}

SharedBatchScope::~SharedBatchScope() {
  batch_is_shared.store(before_);
}

at::Tensor sum_of_shares(const at::Tensor& own) {
  return SumOfShares::apply(own);
}

}  // namespace algprior
