#include "algprior/train/evaluate.hpp"

#include "algprior/data/batch_stream.hpp"
#include "algprior/ranks/world.hpp"

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

namespace {

void visit_batches(const Network& network, const Dataset& dataset, const RandomKey& key,
                   std::vector<at::Tensor> batches,
                   const std::function<void(const Batch&)>& visit) {
  const ModeScope evaluation(network, Mode::evaluation);
  const at::NoGradGuard no_gradient;
  const auto device = device_of(network);
  BatchStream stream(dataset, std::move(batches), key);
  while (const auto batch = stream.next()) visit(to_device(*batch, device));
}

}  // namespace

void for_each_batch(const Network& network, const Dataset& dataset, const RandomKey& key,
                    std::int64_t batch_size, const std::function<void(const Batch&)>& visit) {
  visit_batches(network, dataset, key, ordered_batches(dataset.size, batch_size), visit);
}

std::vector<at::Tensor> own_batches(std::vector<at::Tensor> batches) {
  const auto size = static_cast<std::size_t>(world().size());
  if (world().alone() || batches.size() < size) return batches;
  std::vector<at::Tensor> own;
  for (auto i = static_cast<std::size_t>(world().rank()); i < batches.size(); i += size) {
    own.push_back(batches[i]);
  }
  return own;
}

bool for_each_own_batch(const Network& network, const Dataset& dataset, const RandomKey& key,
                        std::int64_t batch_size, const std::function<void(const Batch&)>& visit) {
  auto own = own_batches(ordered_batches(dataset.size, batch_size));
  const bool dealt = own.size() < static_cast<std::size_t>(batch_count(dataset.size, batch_size));
  visit_batches(network, dataset, key, std::move(own), visit);
  return dealt;
}

MetricSums::MetricSums(const Task& task) : metrics_(task.metrics), sums_(task.metrics.size()) {}

void MetricSums::add(const at::Tensor& output, const at::Tensor& target) {
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    sums_[i] += metrics_[i].of_samples(output, target).sum(at::kDouble).item<double>();
  }
  samples_ += output.size(0);
}

void MetricSums::sum_over_ranks() {
  auto numbers = sums_;
  numbers.push_back(static_cast<double>(samples_));
  const auto all = at::tensor(numbers, at::kDouble);
  world().sum(all);
  const auto* values = all.data_ptr<double>();
  sums_.assign(values, values + sums_.size());
  samples_ = static_cast<std::int64_t>(values[sums_.size()]);
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
