#pragma once

#include "algprior/action/action.hpp"
#include "algprior/base/metric.hpp"
#include "algprior/base/progress.hpp"
#include "algprior/config/config.hpp"
#include "algprior/data/dataset.hpp"
#include "algprior/experiment/settings.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/paper/run_id.hpp"
#include "algprior/prior/learned_prior.hpp"
#include "algprior/train/step.hpp"
#include "algprior/train/trainer.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace algprior {

using Metrics = std::map<std::string, double>;

/// A data set on which a finished run is measured. Its metrics are called "<name>_<metric>":
/// "augmented_test_accuracy", "test_accuracy".
struct TestSet {
  std::string name;
  Dataset data;
};

/// Data of an experiment: pairs under the symmetry of `group`.
struct ExperimentData {
  Group group;               ///< acts on whole samples: G×G for pairs of digits
  std::int64_t outputs = 0;  ///< numbers in one target: the classes of a classification
  Dataset train;
  Dataset validation;
  /// The first is the headline, and has partners g·x: the equivariance error is measured on it.
  std::vector<TestSet> tests;
  std::optional<Action> input = {};  ///< on whole samples, where there is one: for orbits
  /// The samples as they stand, not moved first, where `input` acts on them: only an orbit that
  /// begins at an upright image has elements g that a probe could tell apart.
  std::optional<Dataset> upright_train = {}, upright_test = {};
};

/// Where and to whom a measurement reports; each may be empty.
struct MeasureContext {
  std::filesystem::path folder = {};  ///< for the files that belong to a result
  ProgressSink progress = {};
  NamedTensors best = {};  ///< weights of the best epoch, where the last ones are kept and differ
};

/// What is trained, how, and what is looked at meanwhile.
struct Training {
  Dataset data;
  Step step;
  TrainerOptions options;  ///< without a folder
  Trainer::Validate validate;
  bool keep_best = true;  ///< else the last weights are measured and kept
  /// A run that does not stay finite counts as one that did not converge, and is kept.
  bool may_diverge = false;
  /// Makes what is told of the number of steps done, for files that grow with the run; the second
  /// is told of the last one. Either may be empty.
  std::function<std::function<void(std::int64_t)>(const std::filesystem::path& folder)> observe;
  std::function<void(const std::filesystem::path& folder, std::int64_t steps)> finish;
};

/// A further training after the first, such as a classifier on the latents of a trained encoder. It
/// has a folder of its own below the run's, with its checkpoint, metrics and weights.
struct Phase {
  std::string name;  ///< of the folder: "head"
  Network network;   ///< what is trained; it may hold on to modules of earlier phases
  std::function<Training()> begin;  ///< called once all earlier phases are trained
};

/// An experiment as values: what a recipe makes of its settings, and all that a run asks for. A
/// null model has nothing to train and no network, only a measurement.
struct Experiment {
  Network network = {};
  std::optional<Training> training = {};
  std::vector<Phase> phases = {};  ///< after `training`, in this order
  std::function<Metrics(const MeasureContext& context)> measure;
  /// Looks at a few samples of every data set before hours of work rest on them; throws InputError
  /// naming the set. May be empty.
  std::function<void()> check = {};
  std::vector<Metric> columns;  ///< what a line of results shows

  // For those who look at a trained network afterwards; absent in a null model.
  Task task = {};
  std::optional<nn::Shapes> shapes = {};  ///< of the network, where it is what its kind makes
  std::optional<ExperimentData> data = {};
  std::vector<LatentTarget> latents = {};  ///< ρ_Z of the row; empty when it has none
};

}  // namespace algprior
