#include "recycle.hpp"

#include "algprior/base/cpu.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

namespace algprior::kernel {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

// Memory in pieces as the system gave it, and the ranges of them that nobody uses, by address. A
// request takes the smallest range that it fits into and leaves the rest of it free; neighbours
// within a piece grow together again. So passes of different sizes share one memory.
// Never destroyed: tensors may outlive every static object.
struct Shelf {
  std::mutex mutex;
  std::map<char*, std::size_t> pieces, unused;
  std::size_t kept = 0;  // bytes of the unused ranges
};

Shelf& shelf() {
  static Shelf& shelf = *new Shelf;
  return shelf;
}

char* take_range(Shelf& s, std::size_t capacity) {
  auto best = s.unused.end();
  for (auto range = s.unused.begin(); range != s.unused.end(); ++range) {
    if (range->second < capacity) continue;
    if (best == s.unused.end() || range->second < best->second) best = range;
  }
  if (best == s.unused.end()) return nullptr;
  char* const data = best->first;
  const std::size_t rest = best->second - capacity;
  if (rest > 0) s.unused.emplace(data + capacity, rest);
  s.unused.erase(data);
  s.kept -= capacity;
  return data;
}

void give_range(Shelf& s, char* data, std::size_t capacity) {
  const auto range = s.unused.emplace(data, capacity).first;
  s.kept += capacity;
  const auto join = [&](auto first, auto second) {
    if (first->first + first->second != second->first || s.pieces.contains(second->first)) return;
    first->second += second->second;
    s.unused.erase(second);
  };
  if (const auto next = std::next(range); next != s.unused.end()) join(range, next);
  if (range != s.unused.begin()) join(std::prev(range), range);
}

// Gives whole pieces back to the system, the largest first, while too much is kept.
void trim(Shelf& s) {
  while (s.kept > most_kept()) {
    auto largest = s.unused.end();
    for (auto range = s.unused.begin(); range != s.unused.end(); ++range) {
      const auto piece = s.pieces.find(range->first);
      if (piece == s.pieces.end() || piece->second != range->second) continue;
      if (largest == s.unused.end() || range->second > largest->second) largest = range;
    }
    if (largest == s.unused.end()) return;
    s.kept -= largest->second;
    s.pieces.erase(largest->first);
    std::free(largest->first);
    s.unused.erase(largest);
  }
}

}  // namespace

Block take_block(std::size_t bytes) {
  const std::size_t capacity = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  auto& s = shelf();
  const std::lock_guard lock(s.mutex);
  if (char* data = take_range(s, capacity)) return {data, capacity};
  auto* data = static_cast<char*>(std::aligned_alloc(kHugePage, capacity));
  if (data == nullptr) throw std::bad_alloc();
  try {
    s.pieces.emplace(data, capacity);
  } catch (...) {
    std::free(data);
    throw;
  }
#ifdef MADV_HUGEPAGE
  madvise(data, capacity, MADV_HUGEPAGE);
#endif
  return {data, capacity};
}

void give_block(const Block& block) noexcept {
  auto& s = shelf();
  const std::lock_guard lock(s.mutex);
  try {
    give_range(s, static_cast<char*>(block.data), block.capacity);
  } catch (...) {
    return;  // no memory to remember it by: it is lost, not broken
  }
  trim(s);
}

std::size_t most_kept() {
  constexpr std::size_t kLeast = std::size_t{1} << 30;
  static const std::size_t most =
      std::max(kLeast, static_cast<std::size_t>(this_machine().memory_bytes / 8));
  return most;
}

std::size_t used_bytes() {
  auto& s = shelf();
  const std::lock_guard lock(s.mutex);
  std::size_t all = 0;
  for (const auto& piece : s.pieces) all += piece.second;
  return all - s.kept;
}

std::size_t kept_bytes() {
  auto& s = shelf();
  const std::lock_guard lock(s.mutex);
  return s.kept;
}

}  // namespace algprior::kernel
