#include "algprior/base/parallel.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace algprior {
namespace {

class Parallel : public testing::Test {
 protected:
  void TearDown() override { set_thread_count(before_); }

 private:
  int before_ = thread_count();
};

std::vector<std::pair<std::int64_t, std::int64_t>> ranges(std::int64_t count) {
  std::mutex mutex;
  std::vector<std::pair<std::int64_t, std::int64_t>> seen;
  parallel_for(count, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    seen.emplace_back(begin, end);
  });
  std::sort(seen.begin(), seen.end());
  return seen;
}

TEST_F(Parallel, RangesAreFixedAndCoverEverythingOnce) {
  for (const int threads : {1, 2, 3, 7})
    for (const std::int64_t count : {1, 2, 5, 64, 1001}) {
      set_thread_count(threads);
      const auto seen = ranges(count);
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(std::min<std::int64_t>(threads, count)));
      std::int64_t next = 0;
      for (const auto& [begin, end] : seen) {
        EXPECT_EQ(begin, next);
        EXPECT_LT(begin, end);
        next = end;
      }
      EXPECT_EQ(next, count);
      EXPECT_EQ(ranges(count), seen);
    }
  EXPECT_TRUE(ranges(0).empty());
}

TEST_F(Parallel, NestedLoopsRunSerially) {
  set_thread_count(2);
  std::vector<int> inner_calls(2, 0);
  parallel_for(2, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i)
      parallel_for(100, [&](std::int64_t, std::int64_t) { ++inner_calls[i]; });
  });
  EXPECT_EQ(inner_calls, (std::vector<int>{1, 1}));
}

TEST_F(Parallel, TheFirstExceptionComesOut) {
  set_thread_count(3);
  for (int attempt = 0; attempt < 5; ++attempt) {
    try {
      parallel_for(3, [](std::int64_t begin, std::int64_t) {
        if (begin > 0) throw std::runtime_error(std::to_string(begin));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "1");
    }
  }
  EXPECT_EQ(ranges(3).size(), 3U);
}

TEST_F(Parallel, RefusesNoThreads) {
  EXPECT_THROW(set_thread_count(0), InputError);
}

}  // namespace
}  // namespace algprior
