#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/config/config.hpp"
#include "algprior/experiment/recipe.hpp"
#include "algprior/paper/result.hpp"
#include "algprior/prior/terms.hpp"
#include "algprior/train/metrics.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <c10/core/Device.h>

namespace algprior {

struct RunOptions {
  std::filesystem::path folder = {};
  /// Take up a checkpoint that is there. Without it, a folder with a checkpoint is refused.
  bool resume = false;
  /// Resume under another number of threads, kernels or instruction set, giving up equal bits.
  bool allow_other_setting = false;
  /// Batch norms by the samples of all ranks; see TrainerOptions.
  bool synchronised = false;
  c10::Device device = c10::kCPU;
  MetricSink sink = {};        ///< told of every epoch; may be empty
  ProgressSink progress = {};  ///< told of every step, of all if none is saved by early stopping;
                               ///< may be empty; need not throw: a run hears of a stop by itself
  std::string holder = {};     ///< what a second process is told of the one that holds the folder
};

/// Trains, takes the best weights, measures, and leaves in the folder: config.toml, metrics.jsonl,
/// events, checkpoint.apc, model.safetensors, result.json (docs/runs.md). The folder is locked
/// meanwhile. A folder with a result of the same configuration is not trained again, and one whose
/// training is done is measured without a word about resuming. Before anything else a few samples
/// of every data set go through the network. With `resume`, a configuration that differs in more
/// epochs (or another patience) alone goes on with the run, finished or not; unless the schedule is
/// a cosine, the result is that of a run which had all epochs from the start. Throws InputError,
/// listing the differences, when the folder belongs to another configuration.
///
/// With several ranks (ranks/world.hpp) all of them call it with the same configuration; rank 0
/// alone uses the folder, and all get the same numbers.
Result run_experiment(const config::Config& config, const RunOptions& options,
                      const std::vector<Recipe>& recipes = built_in_recipes());

/// The experiment of a finished run with its trained weights, on a device. Throws InputError when
/// the folder holds no run, a run that has not finished or diverged, or one without a network,
/// FileError when the weights are not those that its result vouches for.
Experiment load_experiment(const std::filesystem::path& folder, c10::Device device = c10::kCPU,
                           const std::vector<Recipe>& recipes = built_in_recipes());

/// How much exact equivariance to the row's ρ_Z leaves of one latent layer.
struct LayerRoom {
  std::size_t layer = 0;
  std::int64_t dimension = 0;
  double invariants = 0;  ///< invariant_room
};

/// What a run would cost, from a few steps on real batches.
struct CostEstimate {
  std::int64_t parameters = 0;
  std::int64_t steps_per_epoch = 0;
  std::int64_t epochs = 0;
  double seconds_per_step = 0;
  double seconds = 0;       ///< if no epoch is saved by early stopping
  std::vector<Pull> pulls;  ///< of the loss's terms at the first weights, on one batch
  double balance = 0;       ///< the λ that prior.balance finds at the first weights; 0 without it
  std::vector<LayerRoom> rooms = {};  ///< of a row with a prior
};
/// Throws InputError for an experiment that has nothing to train.
CostEstimate estimate_cost(const Experiment& experiment);

}  // namespace algprior
