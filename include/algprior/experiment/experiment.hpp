#pragma once

#include "algprior/action/action.hpp"
#include "algprior/config/config.hpp"
#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/prior/learned_prior.hpp"
#include "algprior/train/step.hpp"
#include "algprior/train/trainer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace algprior {

/// A data set on which a finished run is measured, and the name of its accuracy.
struct TestSet {
  std::string metric;  ///< "augmented_test_accuracy", "test_accuracy"
  Dataset data;
};

/// Data of an experiment: pairs under the symmetry of `group`.
struct ExperimentData {
  Group group;           ///< acts on whole samples: G×G for pairs of digits
  std::int64_t classes;  ///< of the task
  Dataset train;
  Dataset validation;
  /// The first is the headline, and has partners g·x: the equivariance error is measured on it.
  std::vector<TestSet> tests;
  std::optional<Action> input;  ///< on whole samples, where there is one: for orbits
  /// The images as they stand, not moved first, where `input` acts on them: only an orbit that
  /// begins at an upright image has elements g that a probe could tell apart.
  std::optional<Dataset> upright_train, upright_test;
};

/// An experiment file as values that compose: data + symmetry + network + prior + training.
struct Experiment {
  config::Config config;
  ExperimentData data;
  Network network;
  Action latent;  ///< ρ_Z of the row: the identity when there is no prior, ρ̂ when it is learned
  Action
      regular;  ///< the regular representation on the same Z, or the identity when it does not fit
  bool regular_fits;
  Step step;
  TrainerOptions training;  ///< without a folder
  std::optional<LearnedPrior> learned;
};

/// Data for a resolved configuration under experiment_schema(). Throws InputError and FileError.
ExperimentData make_experiment_data(const config::Config& config);

/// Throws InputError when group, data, network and prior do not fit together, saying what would.
Experiment make_experiment(const config::Config& config);

/// "<family>-<variant>/<row>/<seed>", the run's place below the runs folder. A row with departures
/// switched on carries "@D-2+D-5".
std::string run_name(const config::Config& config);

}  // namespace algprior
