#include "recycle.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

namespace algprior::kernel {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

// Never destroyed: tensors may outlive every static object.
struct Shelf {
  std::mutex mutex;
  std::multimap<std::size_t, void*> blocks;
  std::size_t kept = 0;
};

Shelf& shelf() {
  static Shelf& shelf = *new Shelf;
  return shelf;
}

}  // namespace

Block take_block(std::size_t bytes) {
  const std::size_t capacity = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  {
    auto& s = shelf();
    const std::lock_guard lock(s.mutex);
    const auto found = s.blocks.lower_bound(capacity);
    // A block more than a quarter too large would waste memory for as long as it is held.
    if (found != s.blocks.end() && found->first <= capacity + capacity / 4) {
      const Block block{found->second, found->first};
      s.kept -= found->first;
      s.blocks.erase(found);
      return block;
    }
  }
  void* data = std::aligned_alloc(kHugePage, capacity);
  if (data == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  madvise(data, capacity, MADV_HUGEPAGE);
#endif
  return {data, capacity};
}

void give_block(const Block& block) noexcept {
  auto& s = shelf();
  const std::lock_guard lock(s.mutex);
  try {
    s.blocks.emplace(block.capacity, block.data);
    s.kept += block.capacity;
  } catch (...) {
    std::free(block.data);
    return;
  }
  while (s.kept > kMostKept) {
    const auto largest = std::prev(s.blocks.end());
    s.kept -= largest->first;
    std::free(largest->second);
    s.blocks.erase(largest);
  }
}

}  // namespace algprior::kernel
