#include "algprior/data/batch_stream.hpp"

#include "algprior/base/error.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

Dataset counting(std::atomic<int>& made, std::int64_t fail_at = -1) {
  return make_dataset("counting", 100,
                      [&made, fail_at](const at::Tensor& indices, const RandomKey&) {
                        ++made;
                        if (indices[0].item<std::int64_t>() == fail_at)
                          throw std::runtime_error("no sample");
                        Batch batch;
                        batch.x = indices;
                        return batch;
                      });
}

TEST(Batches, CoverEverySampleOnce) {
  const auto batches = shuffled_batches(10000, 256, RandomKey(0, "order").at(1));
  EXPECT_EQ(batches.size(), 40U);
  EXPECT_EQ(batches.back().numel(), 16);
  const auto all = at::cat(batches);
  EXPECT_FALSE(at::equal(all, at::arange(10000)));
  EXPECT_TRUE(at::equal(std::get<0>(all.sort()), at::arange(10000)));
  EXPECT_FALSE(at::equal(all, at::cat(shuffled_batches(10000, 256, RandomKey(0, "order").at(2)))));
  EXPECT_TRUE(at::equal(at::cat(ordered_batches(10, 3)), at::arange(10)));
  EXPECT_THROW(ordered_batches(10, 0), InputError);
  for (const std::int64_t size : {0, 1, 9, 10, 11}) {
    EXPECT_EQ(batch_count(size, 5), static_cast<std::int64_t>(ordered_batches(size, 5).size()));
  }
  EXPECT_THROW(batch_count(10, 0), InputError);
}

TEST(BatchStream, GivesTheSameBatchesWithAndWithoutWorker) {
  for (const std::size_t ahead : {0U, 1U, 3U}) {
    std::atomic<int> made = 0;
    BatchStream stream(counting(made), ordered_batches(100, 30), RandomKey(0), ahead);
    std::vector<at::Tensor> seen;
    while (const auto batch = stream.next()) seen.push_back(batch->x);
    EXPECT_EQ(seen.size(), 4U);
    EXPECT_TRUE(at::equal(at::cat(seen), at::arange(100)));
    EXPECT_FALSE(stream.next().has_value());
    EXPECT_EQ(made, 4);
  }
}

TEST(BatchStream, ThrowsWhatTheDataSetThrowsInItsPlace) {
  for (const std::size_t ahead : {0U, 2U}) {
    std::atomic<int> made = 0;
    BatchStream stream(counting(made, 40), ordered_batches(100, 20), RandomKey(0), ahead);
    EXPECT_TRUE(stream.next().has_value());
    EXPECT_TRUE(stream.next().has_value());
    EXPECT_THROW(stream.next(), std::runtime_error);
  }
}

TEST(BatchStream, WaitsWhenItIsFullAndStopsWhenItIsLeft) {
  std::atomic<int> made = 0;
  {
    BatchStream stream(counting(made), ordered_batches(100, 1), RandomKey(0), 2);
    stream.next();
    for (int i = 0; i < 1000 && made < 3; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    // One taken, two waiting; the worker makes no fourth before there is room.
    EXPECT_EQ(made, 3);
  }
  EXPECT_LE(made, 4);
}

}  // namespace
}  // namespace algprior
