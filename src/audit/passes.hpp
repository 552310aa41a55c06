#pragma once

#include "algprior/base/parallel.hpp"
#include "algprior/base/progress.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace algprior::auditing {

/// How far the whole audit is, in units of work that passes report one after the other.
struct Meter {
  ProgressSink sink;
  std::uint64_t done = 0, total = 0;
  void advance(std::uint64_t units) {
    done = std::min(done + units, total);
    if (sink) sink(done, total);
  }
};

/// Calls body(local, i) for i = 0 … count−1 on all threads, one `Local` for each thread, and
/// returns these in order: sums over them depend on the number of threads only, not on who was
/// faster. In rounds, so that progress is told from the calling thread.
template <class Local, class Make, class Body>
std::vector<Local> run_pass(std::size_t count, Make&& make, Body&& body, Meter& meter) {
  const auto threads = static_cast<std::size_t>(thread_count());
  const std::size_t workers = std::max<std::size_t>(1, std::min(threads, count));
  std::vector<Local> locals;
  for (std::size_t t = 0; t < workers; ++t) locals.push_back(make());
  // A worker takes every workers-th item of a round: neighbours cost about the same.
  constexpr std::size_t kItemsEach = 16;
  for (std::size_t first = 0; first < count; first += workers * kItemsEach) {
    const std::size_t last = std::min(count, first + workers * kItemsEach);
    parallel_for(static_cast<std::int64_t>(workers), [&](std::int64_t begin, std::int64_t end) {
      for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t) {
        for (std::size_t i = first + t; i < last; i += workers) body(locals[t], i);
      }
    });
    meter.advance(last - first);
  }
  return locals;
}

}  // namespace algprior::auditing
