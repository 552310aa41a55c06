#include "algprior/action/sample.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"

#include <string>

#include <ATen/ATen.h>

namespace algprior {

at::Tensor sample_elements(const Group& group, std::int64_t n, const RandomKey& key,
                           at::Device device) {
  if (n < 0) throw InputError({"cannot draw a negative number of elements", "", "n >= 0", ""});
  check_memory(16.0 * static_cast<double>(n), "a sample", std::to_string(n) + " elements");
  return sample_elements(group, at::arange(n, at::kLong), key).to(device);
}

void check_sample_numbers(const at::Tensor& indices) {
  if (indices.defined() && indices.dim() == 1 && indices.scalar_type() == at::kLong) return;
  throw InputError({"sample numbers have the wrong form",
                    indices.defined() ? at::toString(indices.scalar_type()) : "no tensor",
                    "an int64 vector", ""});
}

at::Tensor sample_elements(const Group& group, const at::Tensor& indices, const RandomKey& key) {
  check_sample_numbers(indices);
  const auto samples = indices.to(at::kCPU).contiguous();
  const auto* sample = samples.data_ptr<std::int64_t>();
  const auto elements = at::empty_like(samples);
  auto* out = elements.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < samples.numel(); ++i) {
    RandomStream random(key.sample(static_cast<std::uint64_t>(sample[i])));
    out[i] = static_cast<std::int64_t>(random.below(group.order()));
  }
  return elements.to(indices.device());
}

}  // namespace algprior
