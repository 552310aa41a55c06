#include "algprior/train/step.hpp"

#include "algprior/base/error.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {

at::Tensor classification_loss(const at::Tensor& logits, const at::Tensor& labels) {
  if (logits.dim() != 2 || labels.dim() != 1 || labels.size(0) != logits.size(0) ||
      labels.scalar_type() != at::kLong) {
    throw InputError({"the network's output does not fit the labels",
                      fmt::format("output {}, labels {}", fmt::join(logits.sizes(), " x "),
                                  fmt::join(labels.sizes(), " x ")),
                      "N x classes and int64 labels of shape N", ""});
  }
  if (labels.device().is_cpu() && labels.numel() > 0) {
    const auto low = labels.min().item<std::int64_t>();
    const auto high = labels.max().item<std::int64_t>();
    if (low < 0 || high >= logits.size(1)) {
      throw InputError({"a label is no class of the network",
                        fmt::format("label {}", low < 0 ? low : high),
                        fmt::format("0 to {}", logits.size(1) - 1),
                        fmt::format("give the network {} classes", high + 1)});
    }
  }
  return at::cross_entropy_loss(logits, labels);
}

Step make_classify_step() {
  return [](const Network& network, const Batch& batch) {
    Terms terms;
    terms.add("task", classification_loss(network.forward(batch.x).output, batch.y));
    return terms;
  };
}

Step make_classify_step(FixedPrior prior, PairWeights weights) {
  return [prior = std::move(prior), weights](const Network& network, const Batch& batch) {
    if (!batch.paired()) {
      throw InputError({"a prior needs pairs x and g x", "a batch without them",
                        "batches with gx, gy and g", "make the data set with pairs"});
    }
    const auto [first, second] = encode_pair(network, batch.x, batch.gx);
    Terms terms;
    terms.add("task", classification_loss(first.output, batch.y), weights.task);
    if (weights.task_shifted != 0.0) {
      terms.add("task_shifted", classification_loss(second.output, batch.gy), weights.task_shifted);
    }
    prior.add_terms(terms, first.latents, second.latents, batch.g);
    return terms;
  };
}

}  // namespace algprior
