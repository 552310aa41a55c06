#include "algprior/train/step.hpp"

#include "algprior/base/error.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

/// What both streams gave, and the outputs that the terms need.
struct PairPass {
  std::vector<at::Tensor> z, zg;
  at::Tensor output;
  at::Tensor shifted, moved, from_moved;  // undefined where no term needs them
};

const at::Tensor& latent_of(const std::vector<at::Tensor>& latents, std::size_t layer) {
  if (layer < latents.size()) return latents[layer];
  throw InputError({"the network has no such latent layer", fmt::format("layer {}", layer),
                    fmt::format("one of the {} latents that it returns", latents.size()),
                    "return the layer's output among the latents"});
}

// Both streams as one batch through encoder and decoder: for networks without batch statistics.
PairPass joint_pass(const Network& network, const Batch& batch, const StepOptions& options) {
  const auto n = batch.size();
  const auto both = latent_of(network.encode(at::cat({batch.x, batch.gx})), options.layer);
  const auto z = both.narrow(0, 0, n);
  PairPass pass;
  pass.zg = {both.narrow(0, n, n)};
  pass.moved = options.learned->move(batch.g, z);
  std::vector<at::Tensor> latents{z};
  std::vector<at::Tensor*> outputs{&pass.output};
  if (options.weights.task_shifted != 0.0) {
    latents.push_back(pass.zg[0]);
    outputs.push_back(&pass.shifted);
  }
  if (options.learned->weights().latent_to_output != 0.0) {
    latents.push_back(pass.moved);
    outputs.push_back(&pass.from_moved);
  }
  const auto decoded = network.decode(at::cat(latents), options.layer);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    *outputs[i] = decoded.narrow(0, static_cast<std::int64_t>(i) * n, n);
  }
  return pass;
}

PairPass two_streams(const Network& network, const Batch& batch, const StepOptions& options) {
  auto [first, second] = encode_pair(network, batch.x, batch.gx);
  PairPass pass{std::move(first.latents), std::move(second.latents), first.output, {}, {}, {}};
  if (options.weights.task_shifted != 0.0) pass.shifted = second.output;
  if (!options.learned) return pass;
  pass.moved = options.learned->move(batch.g, latent_of(pass.z, options.layer));
  pass.zg = {latent_of(pass.zg, options.layer)};
  if (options.learned->weights().latent_to_output != 0.0) {
    pass.from_moved = network.decode(pass.moved, options.layer);
  }
  return pass;
}

at::Tensor target_of(const StepOptions& options, const at::Tensor& target) {
  return options.rollout ? options.rollout->target(target, 0) : target;
}

// What the network says of its own future, beyond the first frame.
void add_rollout(Terms& terms, const Network& network, const Batch& batch, at::Tensor output,
                 const StepOptions& options) {
  if (!options.rollout || options.rollout->frames < 2) return;
  const Rollout& rollout = *options.rollout;
  at::Tensor x = batch.x, sum;
  for (std::int64_t frame = 1; frame < rollout.frames; ++frame) {
    x = rollout.advance(x, output);
    output = network.forward(x).output;
    const auto loss = options.task.loss(output, rollout.target(options.task.target(batch), frame));
    sum = sum.defined() ? sum + loss : loss;
  }
  terms.add("rollout", sum);
}

void check_latent(const StepOptions& options) {
  const LatentAugmentation& latent = options.latent;
  if (latent.weight < 0.0 || !std::isfinite(latent.weight) || latent.second_pass_every < 1) {
    throw InputError({"augmentation in Z has no usable weight or rhythm",
                      fmt::format("weight {}, a second pass every {} steps", latent.weight,
                                  latent.second_pass_every),
                      "a weight that is not negative, at least 1 step", ""});
  }
  if (latent.weight != 0.0 && !options.fixed) {
    throw InputError({"augmentation in Z needs a fixed representation",
                      fmt::format("weight {} without a fixed prior", latent.weight),
                      "a fixed prior, whose ρ_Z moves E(x)",
                      "choose prior.representation = \"regular\""});
  }
  if (latent.weight == 0.0 && latent.second_pass_every != 1) {
    throw InputError(
        {"steps without a second pass would not see g at all",
         fmt::format("a second pass every {} steps, latent weight 0", latent.second_pass_every),
         "a weight above 0 of the task in Z", "set prior.latent_task = 0.5"});
  }
}

void check_pairs(const Network& network, const Batch& batch, const StepOptions& options) {
  if (!batch.paired()) {
    throw InputError({"a prior needs pairs x and g x", "a batch without them",
                      "batches with gx, gy and g", "make the data set with pairs"});
  }
  if ((options.learned || options.latent.weight != 0.0) && !network.decode) {
    throw InputError({options.learned ? "a learned representation needs a decoder"
                                      : "augmentation in Z needs a decoder",
                      "a network without decode", "a network with decode",
                      "give make_network the rest after the layer"});
  }
}

// D(ρ_Z(g)E(x)) for the first layer of a fixed prior.
void add_latent_task(Terms& terms, const Network& network, const Batch& batch,
                     const std::vector<at::Tensor>& z, const StepOptions& options) {
  if (options.latent.weight == 0.0) return;
  const LatentTarget& target = options.fixed->targets().front();
  const auto moved = target.action(batch.g, latent_of(z, target.layer));
  terms.add("latent_task",
            options.task.loss(network.decode(moved, target.layer),
                              target_of(options, options.task.shifted_target(batch))),
            options.latent.weight);
}

// One pass: x, and g in Z alone.
Terms latent_terms(const Network& network, const Batch& batch, const StepOptions& options) {
  const Encoded encoded = network.forward(batch.x);
  Terms terms;
  terms.add("task",
            options.task.loss(encoded.output, target_of(options, options.task.target(batch))),
            options.weights.task);
  add_rollout(terms, network, batch, encoded.output, options);
  add_latent_task(terms, network, batch, encoded.latents, options);
  return terms;
}

Terms pair_terms(const Network& network, const Batch& batch, const StepOptions& options) {
  check_pairs(network, batch, options);
  if (batch.number % options.latent.second_pass_every != 0) {
    return latent_terms(network, batch, options);
  }
  const PairPass pass = options.learned && network.encode ? joint_pass(network, batch, options)
                                                          : two_streams(network, batch, options);
  const Task& task = options.task;
  Terms terms;
  terms.add("task", task.loss(pass.output, target_of(options, task.target(batch))),
            options.weights.task);
  if (pass.shifted.defined()) {
    terms.add("task_shifted",
              task.loss(pass.shifted, target_of(options, task.shifted_target(batch))),
              options.weights.task_shifted);
  }
  add_rollout(terms, network, batch, pass.output, options);
  if (options.fixed) options.fixed->add_terms(terms, pass.z, pass.zg, batch.g);
  add_latent_task(terms, network, batch, pass.z, options);
  if (options.learned) {
    const auto moved =
        pass.from_moved.defined()
            ? task.loss(pass.from_moved, target_of(options, task.shifted_target(batch)))
            : at::Tensor();
    options.learned->add_terms(terms, pass.moved, pass.zg[0], moved);
  }
  return terms;
}

Terms single_terms(const Network& network, const Batch& batch, const StepOptions& options) {
  Terms terms;
  const auto output = network.forward(batch.x).output;
  terms.add("task", options.task.loss(output, target_of(options, options.task.target(batch))));
  add_rollout(terms, network, batch, output, options);
  return terms;
}

}  // namespace

Step make_step(StepOptions options) {
  if (options.fixed && options.learned) {
    throw InputError({"a step has one prior", "a fixed and a learned one", "one of them", ""});
  }
  if (!options.pairs && (options.fixed || options.learned)) {
    throw InputError({"a prior needs pairs", "pairs = false", "pairs = true", ""});
  }
  check_latent(options);
  return [options = std::move(options)](const Network& network, const Batch& batch) {
    Terms terms =
        options.pairs ? pair_terms(network, batch, options) : single_terms(network, batch, options);
    if (!network.terms) return terms;
    for (Term& term : network.terms()) terms.add(std::move(term.name), term.value, term.weight);
    return terms;
  };
}

}  // namespace algprior
