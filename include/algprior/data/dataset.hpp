#pragma once

#include "algprior/base/random.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Training samples with their transformed partners: x, g·x, y, g·y and g, one row a sample.
/// Without pairs gx, gy and g are undefined.
struct Batch {
  at::Tensor x;
  at::Tensor gx;
  at::Tensor y;
  at::Tensor gy;
  at::Tensor g;             ///< int64 of shape N
  std::int64_t number = 0;  ///< of the batch within a training, from 0; the trainer sets it

  std::int64_t size() const { return x.defined() ? x.size(0) : 0; }
  bool paired() const { return gx.defined(); }
};

/// The batch on another device; undefined members stay so.
Batch to_device(const Batch& batch, at::Device device);

/// A source of samples as a value. `get` makes whole batches: it takes sample numbers (int64 of
/// shape N) and a key that carries seed, purpose and epoch, draws what is random from the key of
/// each sample alone, and may be called from any thread.
struct Dataset {
  using Get = std::function<Batch(const at::Tensor& indices, const RandomKey& key)>;

  std::string name;       ///< for messages
  std::int64_t size = 0;  ///< number of samples
  Get get;
};

/// Throws InputError when the data set is empty or `get` is missing.
Dataset make_dataset(std::string name, std::int64_t size, Dataset::Get get);

/// How many batches an epoch has, the last one perhaps smaller.
std::int64_t batch_count(std::int64_t size, std::int64_t batch_size);

/// The sample numbers of each batch of an epoch; the last batch holds what is left over. Shuffled
/// by the key, which should carry the epoch.
std::vector<at::Tensor> shuffled_batches(std::int64_t size, std::int64_t batch_size,
                                         const RandomKey& key);
/// The same in order.
std::vector<at::Tensor> ordered_batches(std::int64_t size, std::int64_t batch_size);

}  // namespace algprior
