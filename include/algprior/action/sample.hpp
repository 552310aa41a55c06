#pragma once

#include "algprior/base/random.hpp"
#include "algprior/group/group.hpp"

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace algprior {

/// n elements drawn uniformly from G, the identity included: int64 of shape n, on a device. Element
/// i depends on the key and on i alone: give every step a key of its own, key.at(step).
at::Tensor sample_elements(const Group& group, std::int64_t n, const RandomKey& key,
                           at::Device device = at::kCPU);

/// The same for given samples: entry i depends on the key and on indices[i] alone, so a sample gets
/// its element whatever batch it stands in. Throws InputError unless `indices` is an int64 vector.
at::Tensor sample_elements(const Group& group, const at::Tensor& indices, const RandomKey& key);

/// Throws InputError unless `indices`, the numbers of samples, are an int64 vector.
void check_sample_numbers(const at::Tensor& indices);

}  // namespace algprior
