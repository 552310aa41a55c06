#pragma once

#include <cstddef>

// Large buffers that are kept and used again. Training allocates the same hundreds of megabytes at
// every step; handing them back to the system costs a page fault for every 4 KB of the next step,
// which takes longer than the arithmetic on them.

namespace algprior::kernel {

struct Block {
  void* data = nullptr;
  std::size_t capacity = 0;
};

/// A block of at least `bytes`, uninitialised, aligned to a huge page. Throws std::bad_alloc.
Block take_block(std::size_t bytes);

/// Gives a block back. Blocks beyond kMostKept bytes in all go to the system. Any thread may call.
void give_block(const Block& block) noexcept;

constexpr std::size_t kMostKept = std::size_t{1} << 30;

}  // namespace algprior::kernel
