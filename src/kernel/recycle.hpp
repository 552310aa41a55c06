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

/// Gives a block back. What is kept beyond most_kept() bytes goes to the system as far as nothing
/// in the same piece of memory is in use. Any thread may call.
void give_block(const Block& block) noexcept;

/// Bytes of all blocks that were taken and not given back, and bytes kept for later.
std::size_t used_bytes();
std::size_t kept_bytes();

/// An eighth of the machine's memory, or 1 GB where that is more: a step that needs more pays for
/// page faults. Never more than was in use at once, but for gaps.
std::size_t most_kept();

}  // namespace algprior::kernel
