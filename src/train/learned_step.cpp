#include "algprior/train/learned_step.hpp"

#include "algprior/base/error.hpp"
#include "algprior/prior/equivariance.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

/// The latents of a pair and the outputs that the terms need.
struct LearnedPass {
  at::Tensor zg, moved;
  at::Tensor output, shifted, from_moved;  // undefined where no term needs them
};

const at::Tensor& latent_of(const std::vector<at::Tensor>& latents, std::size_t layer) {
  if (layer < latents.size()) return latents[layer];
  throw InputError({"the network has no such latent layer", fmt::format("layer {}", layer),
                    fmt::format("one of the {} latents that it returns", latents.size()),
                    "return the layer's output among the latents"});
}

LearnedPass joint_pass(const Network& network, const Batch& batch, const LearnedPrior& prior,
                       const LearnedStepOptions& options) {
  const auto n = batch.size();
  const auto both = latent_of(network.encode(at::cat({batch.x, batch.gx})), options.layer);
  const auto z = both.narrow(0, 0, n);
  LearnedPass pass;
  pass.zg = both.narrow(0, n, n);
  pass.moved = prior.move(batch.g, z);
  std::vector<at::Tensor> latents{z};
  std::vector<at::Tensor*> outputs{&pass.output};
  if (options.weights.task_shifted != 0.0) {
    latents.push_back(pass.zg);
    outputs.push_back(&pass.shifted);
  }
  if (prior.weights().latent_to_output != 0.0) {
    latents.push_back(pass.moved);
    outputs.push_back(&pass.from_moved);
  }
  const auto decoded = network.decode(at::cat(latents), options.layer);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    *outputs[i] = decoded.narrow(0, static_cast<std::int64_t>(i) * n, n);
  }
  return pass;
}

LearnedPass separate_passes(const Network& network, const Batch& batch, const LearnedPrior& prior,
                            const LearnedStepOptions& options) {
  const auto [first, second] = encode_pair(network, batch.x, batch.gx);
  LearnedPass pass;
  pass.zg = latent_of(second.latents, options.layer);
  pass.moved = prior.move(batch.g, latent_of(first.latents, options.layer));
  pass.output = first.output;
  if (options.weights.task_shifted != 0.0) pass.shifted = second.output;
  if (prior.weights().latent_to_output != 0.0) {
    pass.from_moved = network.decode(pass.moved, options.layer);
  }
  return pass;
}

at::Tensor task_loss(LearnedTask task, const at::Tensor& output, const at::Tensor& image,
                     const at::Tensor& label) {
  switch (task) {
    case LearnedTask::autoencode:
      return mean_squared_error(output, image);
    case LearnedTask::classify:
      return classification_loss(output, label);
    case LearnedTask::classify_softmax_twice:
      return softmax_twice_loss(output, label);
  }
  return {};
}

}  // namespace

at::Tensor softmax_twice_loss(const at::Tensor& logits, const at::Tensor& labels) {
  return classification_loss(logits.softmax(-1).softmax(-1), labels);
}

Step make_learned_step(LearnedPrior prior, LearnedStepOptions options) {
  return [prior = std::move(prior), options](const Network& network, const Batch& batch) {
    if (!batch.paired() || !network.decode) {
      throw InputError(
          {"a learned representation needs pairs and a decoder",
           batch.paired() ? "a network without decode" : "a batch without pairs",
           "batches with gx and g, and a network with decode",
           "make the data set with pairs; give make_network the rest after the layer"});
    }
    const auto pass = network.encode ? joint_pass(network, batch, prior, options)
                                     : separate_passes(network, batch, prior, options);
    const auto loss = [&](const at::Tensor& output, const at::Tensor& image,
                          const at::Tensor& label) {
      return output.defined() ? task_loss(options.task, output, image, label) : at::Tensor();
    };
    Terms terms;
    terms.add("task", loss(pass.output, batch.x, batch.y), options.weights.task);
    const auto shifted = loss(pass.shifted, batch.gx, batch.gy);
    if (shifted.defined()) terms.add("task_shifted", shifted, options.weights.task_shifted);
    prior.add_terms(terms, pass.moved, pass.zg, loss(pass.from_moved, batch.gx, batch.gy));
    return terms;
  };
}

}  // namespace algprior
