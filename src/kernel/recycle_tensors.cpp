#include "algprior/kernel/recycle_tensors.hpp"

#include "recycle.hpp"

#include <mutex>
#include <new>
#include <unordered_map>

#include <c10/core/CPUAllocator.h>

namespace algprior {
namespace {

// What is small, and what there is no room for, is the business of the allocator before.
class RecyclingAllocator final : public c10::Allocator {
 public:
  explicit RecyclingAllocator(c10::Allocator& rest) : rest_(rest) {}

  c10::DataPtr allocate(std::size_t bytes) const override {
    constexpr std::size_t kLarge = std::size_t{1} << 23;  // blocks come in whole huge pages
    constexpr std::size_t kAbsurd = std::size_t{1} << 46;
    if (bytes < kLarge || bytes > kAbsurd) return rest_.allocate(bytes);
    try {
      void* data = remember(kernel::take_block(bytes));
      return {data, data, &give, c10::DeviceType::CPU};
    } catch (const std::bad_alloc&) {
      return rest_.allocate(bytes);
    }
  }

  // oneDNN frees by the address alone, whatever the size was.
  c10::DeleterFnPtr raw_deleter() const override { return &give; }

  static RecyclingAllocator& instance() {
    // Never destroyed: tensors may outlive every static object.
    static auto& allocator = *new RecyclingAllocator(*c10::GetCPUAllocator());
    return allocator;
  }

 private:
  void* remember(const kernel::Block& block) const {
    try {
      const std::lock_guard lock(mutex_);
      blocks_.emplace(block.data, block);
    } catch (...) {
      kernel::give_block(block);
      throw;
    }
    return block.data;
  }

  static void give(void* data) {
    const RecyclingAllocator& self = instance();
    kernel::Block block;
    {
      const std::lock_guard lock(self.mutex_);
      if (const auto found = self.blocks_.find(data); found != self.blocks_.end()) {
        block = found->second;
        self.blocks_.erase(found);
      }
    }
    if (block.data != nullptr)
      kernel::give_block(block);
    else if (data != nullptr)
      self.rest_.raw_deallocate(data);
  }

  c10::Allocator& rest_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<void*, kernel::Block> blocks_;
};

}  // namespace

void recycle_tensors() {
  c10::SetCPUAllocator(&RecyclingAllocator::instance());
}

}  // namespace algprior
