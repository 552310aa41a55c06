#include "algprior/data/dataset.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/kernel/detail/translate.hpp"

#include <limits>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

void check_batch_size(std::int64_t batch_size) {
  if (batch_size < 1) {
    throw InputError(
        {"the batch size is too small", fmt::format("{}", batch_size), "at least 1", ""});
  }
}

// Before an order is made for them.
void check_order(std::int64_t size, std::int64_t batch_size) {
  check_batch_size(batch_size);
  if (size < 0) {
    throw InputError({"a data set has a negative size", fmt::format("{}", size), "0 or more", ""});
  }
  check_memory(16.0 * static_cast<double>(size), "the order of the samples",
               fmt::format("{} samples", size));
}

std::vector<at::Tensor> cut(const at::Tensor& order, std::int64_t batch_size) {
  return order.numel() == 0 ? std::vector<at::Tensor>{} : order.split(batch_size);
}

}  // namespace

Batch to_device(const Batch& batch, at::Device device) {
  const auto move = [device](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.to(device) : tensor;
  };
  return {move(batch.x),  move(batch.gx), move(batch.y),
          move(batch.gy), move(batch.g),  batch.number};
}

Dataset make_dataset(std::string name, std::int64_t size, Dataset::Get get) {
  if (size < 1 || !get) {
    throw InputError(
        {"a data set is empty", name, "at least one sample and a function to get it", ""});
  }
  auto translating = [name, get = std::move(get)](const at::Tensor& indices, const RandomKey& key) {
    return translated("a data set cannot give these samples", name,
                      [&] { return get(indices, key); });
  };
  return {std::move(name), size, std::move(translating)};
}

std::int64_t batch_count(std::int64_t size, std::int64_t batch_size) {
  check_batch_size(batch_size);
  return size / batch_size + (size % batch_size == 0 ? 0 : 1);
}

std::vector<at::Tensor> shuffled_batches(std::int64_t size, std::int64_t batch_size,
                                         const RandomKey& key) {
  if (size < 0 || size > std::numeric_limits<std::uint32_t>::max()) {
    throw LimitError({"a data set is too large to shuffle", fmt::format("{} samples", size),
                      "at most 2^32 - 1", ""});
  }
  check_order(size, batch_size);
  RandomStream random(key);
  const auto permutation = random.permutation(static_cast<std::uint32_t>(size));
  const auto order = at::empty({size}, at::kLong);
  std::copy(permutation.begin(), permutation.end(), order.data_ptr<std::int64_t>());
  return cut(order, batch_size);
}

std::vector<at::Tensor> ordered_batches(std::int64_t size, std::int64_t batch_size) {
  check_order(size, batch_size);
  return cut(at::arange(size, at::kLong), batch_size);
}

}  // namespace algprior
