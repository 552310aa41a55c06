#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace algprior {

/// Puts a network into evaluation mode while it lives and restores the mode it was in.
class EvaluationMode {
 public:
  explicit EvaluationMode(const Network& network);
  ~EvaluationMode();
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  std::shared_ptr<torch::nn::Module> module_;
  bool was_training_;
};

/// Calls `visit` with every batch of the data set in order, on the network's device, in evaluation
/// mode and without gradients.
void for_each_batch(const Network& network, const Dataset& dataset, const RandomKey& key,
                    std::int64_t batch_size, const std::function<void(const Batch&)>& visit);

/// How many rows of the logits (N×K) have their largest number, the first one of equal ones, at
/// their label.
std::int64_t count_right(const at::Tensor& output, const at::Tensor& labels);

/// The fraction of samples x whose logits are right in this sense.
double accuracy(const Network& network, const Dataset& dataset, const RandomKey& key,
                std::int64_t batch_size = 256);

/// The device of the network's first parameter; the CPU for one without parameters.
at::Device device_of(const Network& network);

}  // namespace algprior
