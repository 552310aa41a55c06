#include "algprior/base/parallel.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>

// OpenMP shares its pool of threads with LibTorch, so that the two never compete for cores. The
// thread sanitizer cannot see libgomp's synchronisation and would report every loop.
#if defined(_OPENMP) && !defined(__SANITIZE_THREAD__)
#include <omp.h>
#define ALGPRIOR_OPENMP 1
#endif

namespace algprior {
namespace {

int available_cores() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::atomic<int>& thread_setting() {
  static std::atomic<int> threads{available_cores()};
  return threads;
}

thread_local bool inside_parallel = false;

}  // namespace

int thread_count() {
  return thread_setting().load(std::memory_order_relaxed);
}

void set_thread_count(int threads) {
  if (threads < 1)
    throw InputError({"wrong number of threads", std::to_string(threads),
                      "an integer of at least 1", "leave the setting out to use every core"});
  thread_setting().store(threads, std::memory_order_relaxed);
}

void parallel_for(std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& body) {
  if (count <= 0) return;
  const auto threads = static_cast<int>(std::min<std::int64_t>(thread_count(), count));
  if (threads == 1 || inside_parallel) return body(0, count);

  std::vector<std::exception_ptr> failures(threads);
  const auto run = [&](int t) {
    inside_parallel = true;
    try {
      body(count * t / threads, count * (t + 1) / threads);
    } catch (...) {
      failures[t] = std::current_exception();
    }
    inside_parallel = false;
  };
#ifdef ALGPRIOR_OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) run(t);
#else
  std::vector<std::thread> workers;
  workers.reserve(threads - 1);
  for (int t = 1; t < threads; ++t) workers.emplace_back(run, t);
  run(0);
  for (auto& worker : workers) worker.join();
#endif
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace algprior
