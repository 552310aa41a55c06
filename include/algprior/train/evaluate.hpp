#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/train/task.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

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

/// The same with this rank's part of the batches, where there are at least as many as ranks
/// (ranks/world.hpp): then true, and what was gathered is to be put together over the ranks. Else
/// every rank visits all, and so does one that is alone.
bool for_each_own_batch(const Network& network, const Dataset& dataset, const RandomKey& key,
                        std::int64_t batch_size, const std::function<void(const Batch&)>& visit);

/// The batches of a pass that are this rank's, as for_each_own_batch deals them out.
std::vector<at::Tensor> own_batches(std::vector<at::Tensor> batches);

/// The means of a task's metrics over the samples x of a data set, in the task's order. Throws
/// InputError when the network's output does not fit the targets.
std::vector<double> evaluate(const Task& task, const Network& network, const Dataset& dataset,
                             const RandomKey& key, std::int64_t batch_size = 256);

/// The same as sums that grow batch by batch, for whoever has the outputs already.
class MetricSums {
 public:
  explicit MetricSums(const Task& task);
  void add(const at::Tensor& output, const at::Tensor& target);
  void sum_over_ranks();
  std::vector<double> means() const;

 private:
  std::vector<TaskMetric> metrics_;
  std::vector<double> sums_;
  std::int64_t samples_ = 0;
};

/// The device of the network's first parameter; the CPU for one without parameters.
at::Device device_of(const Network& network);

}  // namespace algprior
