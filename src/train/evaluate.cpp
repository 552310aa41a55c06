#include "algprior/train/evaluate.hpp"

#include "algprior/data/batch_stream.hpp"

#include <ATen/ATen.h>
#include <torch/nn/module.h>

namespace algprior {

ModeScope::ModeScope(const Network& network, Mode mode)
    : module_(network.module), was_training_(network.module->is_training()) {
  module_->train(mode == Mode::training);
}

ModeScope::~ModeScope() {
  module_->train(was_training_);
}

at::Device device_of(const Network& network) {
  const auto parameters = network.module->parameters();
  return parameters.empty() ? at::Device(at::kCPU) : parameters.front().device();
}

void for_each_batch(const Network& network, const Dataset& dataset, const RandomKey& key,
                    std::int64_t batch_size, const std::function<void(const Batch&)>& visit) {
  const ModeScope evaluation(network, Mode::evaluation);
  const at::NoGradGuard no_gradient;
  const auto device = device_of(network);
  BatchStream stream(dataset, ordered_batches(dataset.size, batch_size), key);
  while (const auto batch = stream.next()) visit(to_device(*batch, device));
}

MetricSums::MetricSums(const Task& task) : metrics_(task.metrics), sums_(task.metrics.size()) {}

void MetricSums::add(const at::Tensor& output, const at::Tensor& target) {
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    sums_[i] += metrics_[i].of_samples(output, target).sum(at::kDouble).item<double>();
  }
  samples_ += output.size(0);
}

std::vector<double> MetricSums::means() const {
  std::vector<double> means = sums_;
  for (double& mean : means) mean /= static_cast<double>(samples_);
  return means;
}

std::vector<double> evaluate(const Task& task, const Network& network, const Dataset& dataset,
                             const RandomKey& key, std::int64_t batch_size) {
  MetricSums sums(task);
  for_each_batch(network, dataset, key, batch_size, [&](const Batch& batch) {
    sums.add(network.forward(batch.x).output, task.target(batch));
  });
  return sums.means();
}

}  // namespace algprior
