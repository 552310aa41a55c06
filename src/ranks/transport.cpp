#include "transport.hpp"

#include "algprior/base/error.hpp"
#include "meeting.hpp"

#include <cstdlib>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

// A LibTorch for CUDA has NCCL inside, but neither its header nor CUDA's.
#if defined(USE_C10D_NCCL) && __has_include(<nccl.h>) && __has_include(<cuda_runtime_api.h>)
#define ALGPRIOR_NCCL 1
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

namespace algprior {

Transport transport_of(c10::DeviceType device, bool with_nccl) noexcept {
  if (device == c10::DeviceType::CPU) return Transport::gloo;
  return device == c10::DeviceType::CUDA && with_nccl ? Transport::nccl : Transport::gloo_copy;
}

#ifdef ALGPRIOR_NCCL

bool built_with_nccl() noexcept {
  return true;
}

BeginSum make_nccl_sum(const RankPlace& place, const c10::intrusive_ptr<c10d::Store>& store) {
  // Otherwise c10d's own thread ends the process at a timeout, before anybody is named. Each
  // LibTorch reads one of the two names.
  for (const char* name : {"NCCL_BLOCKING_WAIT", "TORCH_NCCL_BLOCKING_WAIT"}) setenv(name, "1", 0);
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = time_for_sums(place);
  const auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(
      c10::make_intrusive<c10d::PrefixStore>("nccl", store), place.rank, place.size, options);
  return [group](std::vector<at::Tensor>& tensors) { return group->allreduce(tensors); };
}

#else

bool built_with_nccl() noexcept {
  return false;
}

BeginSum make_nccl_sum(const RankPlace&, const c10::intrusive_ptr<c10d::Store>&) {
  throw InputError({"tensors on a GPU cannot be summed there", "a program without NCCL",
                    "a LibTorch for CUDA, and the headers of CUDA and NCCL when it is built",
                    "build it with them, or sum on the CPU"});
}

#endif

}  // namespace algprior
