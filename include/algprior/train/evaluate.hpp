#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace algprior {

enum class Mode { training, evaluation };

/// Puts a network into a mode while it lives and restores the mode it was in.
class ModeScope {
 public:
  ModeScope(const Network& network, Mode mode);
  ~ModeScope();
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

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
