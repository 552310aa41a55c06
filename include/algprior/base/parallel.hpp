#pragma once

#include <cstdint>
#include <functional>

namespace algprior {

/// Number of threads that parallel_for uses, at least 1. Starts at the number of cores that the
/// process may run on.
int thread_count();

/// Sets thread_count() for the whole process. Throws InputError unless threads ≥ 1.
void set_thread_count(int threads);

/// Calls body(begin, end) on disjoint ranges that cover [0, count): the one place of the library
/// where threads start. The partition is static, range t of T being [count·t/T, count·(t+1)/T),
/// T = min(thread_count(), count): it depends on nothing but count and thread_count(). A call from
/// inside a body runs serially. The first exception that a body throws (by range) is rethrown here.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& body);

}  // namespace algprior
