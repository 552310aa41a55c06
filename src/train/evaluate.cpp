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

std::int64_t count_right(const at::Tensor& output, const at::Tensor& labels) {
  return output.argmax(1).eq(labels).sum().item<std::int64_t>();
}

double accuracy(const Network& network, const Dataset& dataset, const RandomKey& key,
                std::int64_t batch_size) {
  std::int64_t right = 0;
  for_each_batch(network, dataset, key, batch_size, [&](const Batch& batch) {
    right += count_right(network.forward(batch.x).output, batch.y);
  });
  return static_cast<double>(right) / static_cast<double>(dataset.size);
}

}  // namespace algprior
