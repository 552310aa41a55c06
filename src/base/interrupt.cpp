#include "algprior/base/interrupt.hpp"

#include "algprior/base/error.hpp"

#include <atomic>

namespace algprior {
namespace {

std::atomic<bool> requested{false};
std::atomic<bool> seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

}  // namespace

void request_stop() noexcept {
  requested.store(true, std::memory_order_relaxed);
}

bool stop_requested() noexcept {
  if (!requested.load(std::memory_order_relaxed)) return false;
  seen.store(true, std::memory_order_relaxed);
  return true;
}

bool stop_seen() noexcept {
  return seen.load(std::memory_order_relaxed);
}

void throw_if_stopped() {
  if (stop_requested()) throw Interrupted({"stopped on request", "", "", ""});
}

void clear_stop() noexcept {
  requested.store(false, std::memory_order_relaxed);
  seen.store(false, std::memory_order_relaxed);
}

}  // namespace algprior
