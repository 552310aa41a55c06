#include "algprior/base/error.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/train/evaluate.hpp"
#include "measure.hpp"
#include "threads.hpp"

#include <chrono>

#include <ATen/ATen.h>
#include <torch/nn/module.h>

namespace algprior {

CostEstimate estimate_cost(const Experiment& experiment) {
  if (!experiment.training) {
    throw InputError({"this experiment has nothing to train", "a null model",
                      "an experiment with a network", "run it: it takes seconds to minutes"});
  }
  constexpr int kSteps = 4;
  const Training& training = *experiment.training;
  const auto one_thread = threads_for(experiment);  // as the run itself
  if (experiment.check) experiment.check();
  CostEstimate cost;
  cost.parameters = parameter_count(experiment.network);
  cost.epochs = training.options.epochs;
  cost.steps_per_epoch = batch_count(training.data.size, training.options.batch_size);
  // Shuffled: the first samples of a data set are often all of one class.
  const RandomKey key(training.options.seed, "estimate");
  const auto batches = shuffled_batches(training.data.size, training.options.batch_size, key);
  const auto device = device_of(experiment.network);
  cost.rooms = layer_rooms(experiment.network, experiment.latents);
  const Balance& balance = training.options.balance;
  if (balance.ratio > 0.0) {
    cost.balance = balanced_factor(balance, experiment.network, training.step, training.data,
                                   training.options.batch_size,
                                   RandomKey(training.options.seed, "balance").at(1));
  }
  std::chrono::duration<double> spent{};
  for (int i = 0; i <= kSteps; ++i) {  // the first step warms up and is not counted
    const auto start = std::chrono::steady_clock::now();
    const auto& indices = batches[static_cast<std::size_t>(i) % batches.size()];
    Batch batch = to_device(training.data.get(indices, key), device);
    batch.number = i;  // steps need not be alike
    Terms terms = training.step(experiment.network, batch);
    if (balance.ratio > 0.0) terms.scale(balance.term, cost.balance);
    if (i == 0) cost.pulls = pulls(terms, experiment.network.module->parameters());
    terms.total().backward();
    // A GPU computes on after its call returns; a value read from it waits.
    experiment.network.module->parameters().front().grad().sum().item<double>();
    if (i > 0) spent += std::chrono::steady_clock::now() - start;
  }
  cost.seconds_per_step = spent.count() / kSteps;
  cost.seconds = cost.seconds_per_step * static_cast<double>(cost.steps_per_epoch * cost.epochs);
  return cost;
}

}  // namespace algprior
