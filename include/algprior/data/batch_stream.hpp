#pragma once

#include "algprior/data/dataset.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace algprior {

/// The batches of one pass over a data set, made ahead of their use on one worker thread. At most
/// `ahead` batches wait, so memory is bounded; with ahead = 0 there is no thread and next() makes
/// the batch. The values are the same either way: they depend on sample numbers and key alone.
class BatchStream {
 public:
  BatchStream(Dataset dataset, std::vector<at::Tensor> batches, RandomKey key,
              std::size_t ahead = 2);
  /// Stops the worker after the batch that it is making, and waits for it.
  ~BatchStream();
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  /// The next batch, or nothing after the last. An exception of the data set's `get` is thrown
  /// here, in its place in the order, and ends the stream.
  std::optional<Batch> next();

 private:
  struct Worker;
  Dataset dataset_;
  std::vector<at::Tensor> batches_;
  RandomKey key_;
  std::size_t position_ = 0;
  std::unique_ptr<Worker> worker_;
};

}  // namespace algprior
