#pragma once

#include "recycle.hpp"

#include <ATen/ATen.h>

namespace algprior::kernel {

/// An uninitialised tensor; a large one lives in a recycled block.
inline at::Tensor make_empty(at::IntArrayRef size, const at::TensorOptions& options) {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  const auto bytes = sizeof(float) * static_cast<std::size_t>(c10::multiply_integers(size));
  if (bytes < kLarge) return at::empty(size, options);
  const auto block = take_block(bytes);
  return at::from_blob(
      block.data, size, [block](void*) { give_block(block); }, options);
}

}  // namespace algprior::kernel
