#pragma once

#include "algprior/experiment/recipe.hpp"

#include <filesystem>

#include <c10/core/Device.h>

namespace algprior {

/// A trained network, and what those ask who have only samples.
struct Predictor {
  Network network;
  bool classifies = false;  ///< the largest output is the class
  std::int64_t batch_size = 1;
};

/// network.json of a run folder: the kind of its network, the shapes that the data asked for, and
/// the task. Written before the training; nothing for an experiment whose network is more than its
/// kind makes.
void write_network_file(const std::filesystem::path& folder, const config::Config& config,
                        const Experiment& experiment);

/// The network of a finished run from its folder alone, without its data; of a run that has no
/// network.json (older ones, networks with parts that the method adds) as load_experiment() has
/// it, with its data. Throws as load_experiment(), and FileError for a damaged network.json.
Predictor load_predictor(const std::filesystem::path& folder, c10::Device device = c10::kCPU,
                         const std::vector<Recipe>& recipes = built_in_recipes());

}  // namespace algprior
