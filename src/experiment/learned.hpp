#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/experiment/experiment.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace algprior {

/// ρ̂ with its algebra loss and weights, from [prior] of a configuration that says "learned".
LearnedPrior make_learned_prior(const config::Config& config, const Group& group);

/// The step of L_opt on that prior.
Step make_learned_experiment_step(const config::Config& config, const LearnedPrior& prior);

/// The mean of each term over a data set and their weighted sum as "loss", in evaluation mode.
std::map<std::string, double> validation_losses(const Experiment& experiment,
                                                const Dataset& dataset, const RandomKey& key);

/// What ρ̂ became: the report's numbers. The report (representation.json), ρ̂
/// (representation.safetensors) and Theorem 1 sample by sample (theorem.csv) go into the folder
/// unless it is empty.
std::map<std::string, double> measure_representation(const Experiment& experiment,
                                                     const std::filesystem::path& folder);

/// Linear probes on orbits z_g = E(g·x) of upright test images, the global one trained on orbits of
/// upright training images: "local_probe_accuracy", "global_probe_accuracy", "invariance_loss".
std::map<std::string, double> measure_probes(const Experiment& experiment);

/// The null model as a run: the metrics of run_null_model, and null.csv in the folder. `progress`
/// may be empty.
std::map<std::string, double> measure_null_model(const config::Config& config,
                                                 const std::filesystem::path& folder,
                                                 const ProgressSink& progress);

}  // namespace algprior
