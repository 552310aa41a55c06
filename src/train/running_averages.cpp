#include "algprior/train/running_averages.hpp"

#include "algprior/base/error.hpp"
#include "algprior/data/batch_stream.hpp"
#include "algprior/ranks/world.hpp"
#include "algprior/train/evaluate.hpp"

#include <vector>

#include <ATen/ATen.h>
#include <torch/nn/modules/batchnorm.h>

namespace algprior {
namespace {

using torch::nn::BatchNormOptions;

template <typename BatchNorm>
bool add_options(torch::nn::Module& module, std::vector<BatchNormOptions*>& found) {
  auto* norm = module.as<BatchNorm>();
  if (norm == nullptr || !norm->running_mean.defined()) return false;
  found.push_back(&norm->options);
  return true;
}

std::vector<BatchNormOptions*> batch_norms(torch::nn::Module& root) {
  std::vector<BatchNormOptions*> found;
  for (const auto& module : root.modules()) {
    add_options<torch::nn::BatchNorm1dImpl>(*module, found) ||
        add_options<torch::nn::BatchNorm2dImpl>(*module, found) ||
        add_options<torch::nn::BatchNorm3dImpl>(*module, found);
  }
  return found;
}

// The momenta of batch norms, as they were when this goes.
class MomentumScope {
 public:
  explicit MomentumScope(std::vector<BatchNormOptions*> norms) : norms_(std::move(norms)) {
    for (const auto* norm : norms_) before_.push_back(norm->momentum());
  }
  ~MomentumScope() {
    for (std::size_t i = 0; i < norms_.size(); ++i) norms_[i]->momentum(before_[i]);
  }
  MomentumScope(const MomentumScope&) = delete;
  MomentumScope& operator=(const MomentumScope&) = delete;

  void set(double momentum) {
    for (auto* norm : norms_) norm->momentum(momentum);
  }

 private:
  std::vector<BatchNormOptions*> norms_;
  std::vector<c10::optional<double>> before_;
};

// Each rank's averages with the share of samples that it saw.
void average_over_ranks(torch::nn::Module& module, double weight) {
  for (auto& buffer : module.buffers()) {
    if (!buffer.is_floating_point()) continue;
    const auto part = buffer.to(at::kCPU, at::kDouble) * weight;
    world().sum(part);
    buffer.copy_(part);
  }
}

}  // namespace

bool has_running_averages(const Network& network) {
  return !batch_norms(*network.module).empty();
}

void refresh_running_averages(const Network& network, const Dataset& dataset, const RandomKey& key,
                              std::int64_t batch_size) {
  auto norms = batch_norms(*network.module);
  if (norms.empty()) {
    throw InputError({"there are no running averages to take anew", "the network",
                      "a network with batch norm", "measure it as it is"});
  }
  MomentumScope momentum(std::move(norms));
  const ModeScope training(network, Mode::training);
  const at::NoGradGuard no_gradient;
  const auto device = device_of(network);
  const auto batches = shuffled_batches(dataset.size, batch_size, key);
  auto own = own_batches(batches);
  const bool dealt = own.size() < batches.size();
  BatchStream stream(dataset, std::move(own), key);
  std::int64_t seen = 0;
  while (const auto batch = stream.next()) {
    seen += batch->size();
    // A momentum of 1 at the first batch forgets what was there.
    momentum.set(static_cast<double>(batch->size()) / static_cast<double>(seen));
    network.forward(to_device(*batch, device).x);
  }
  if (dealt)
    average_over_ranks(*network.module,
                       static_cast<double>(seen) / static_cast<double>(dataset.size));
}

}  // namespace algprior
