#include "shared_step.hpp"

#include <ATen/ATen.h>
#include <torch/nn/module.h>

namespace algprior {

SharedStep::SharedStep(const World& world, torch::nn::Module& module)
    : world_(world), gradients_(world, module.parameters()) {
  for (const auto& buffer : module.buffers()) {
    if (buffer.is_floating_point()) averages_.push_back(buffer);  // not the counts of batches
  }
}

void SharedStep::begin(const NamedValues& values, double weight, const Wishes& wishes) {
  std::vector<double> numbers{wishes.stop ? 1.0 : 0.0, wishes.save ? 1.0 : 0.0};
  for (const auto& [name, value] : values) numbers.push_back(weight * value);
  std::vector<at::Tensor> parts{at::tensor(numbers, at::kDouble)};
  for (const auto& buffer : averages_) {
    parts.push_back(buffer.to(at::kCPU, at::kDouble).reshape(-1) * weight);
  }
  message_ = at::cat(parts);
  pending_ = world_.begin_sum(message_);
  gradients_.begin();
}

void SharedStep::finish(NamedValues& values) {
  // Sent before any gradient and by Gloo, which sees at once that a rank is gone; NCCL only after
  // the timeout.
  pending_.wait();
  gradients_.finish();
  wishes_ = {message_[0].item<double>() > 0.0, message_[1].item<double>() > 0.0};
  std::int64_t place = 2;
  for (auto& [name, value] : values) value = message_[place++].item<double>();
  for (auto& buffer : averages_) {
    buffer.copy_(message_.narrow(0, place, buffer.numel()).view(buffer.sizes()));
    place += buffer.numel();
  }
}

}  // namespace algprior
