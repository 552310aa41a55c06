#pragma once

#include "algprior/experiment/experiment.hpp"

namespace algprior {

/// What a recipe with something to train hands over; the rest follows.
struct Parts {
  RunId run;
  ExperimentData data;
  Network network;
  /// What the network was made for, where it is what its kind makes: lets a run predict without its
  /// data.
  std::optional<nn::Shapes> shapes = {};
  Task task;
  PriorSettings prior;
  TrainSettings train;
  bool on_x_alone = false;        ///< departure D-5: the task loss on x alone
  bool against_first = false;     ///< departure D-4: the prior's loss against one sample
  std::optional<Step> step = {};  ///< a step of its own, instead of the paper's
  /// ρ_Z for a representation's name on the latents of the network. Empty: vectors, on layer 0, in
  /// as many copies as fit.
  std::function<std::vector<LatentTarget>(const std::string& representation)> latents = {};
  std::optional<Rollout> rollout = {};  ///< for a network that predicts frame after frame
  /// Further validation numbers, by one of which the best epoch may be chosen.
  std::function<Metrics(const Network& network, const RandomKey& key)> validate = {};
  /// Further numbers of the trained network.
  std::function<Metrics(const Network& network, const MeasureContext& context)> measure = {};
  std::vector<Metric> columns = {};  ///< empty: those that every such experiment has
};

/// Data + symmetry + network + task + prior + training as one experiment: its step, what is
/// validated after each epoch, what is measured at the end. Throws InputError when they do not fit
/// together, saying what would.
Experiment assemble(Parts parts);

}  // namespace algprior
