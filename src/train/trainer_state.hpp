#pragma once

#include "algprior/train/checkpoint.hpp"
#include "algprior/train/trainer.hpp"
#include "shared_step.hpp"

#include <optional>

namespace algprior {

/// Where a run stands: the part of a checkpoint that is neither weights nor moments.
struct Progress {
  std::int64_t epoch = 0;          ///< epochs completed
  std::int64_t step_in_epoch = 0;  ///< steps done in the epoch after them
  std::int64_t steps = 0;
  std::map<std::string, double> sums;          ///< of each term over the epoch's samples
  std::map<std::string, std::int64_t> counts;  ///< samples of steps that had the term
  double balance = 1.0;                        ///< factor on the weights of the balanced terms
  bool finished = false;
  bool stopped_early = false;
  double seconds = 0.0;
  std::uint64_t metrics_length = 0;
};

std::string to_json(const Progress& progress, const EarlyStopping& stopping);
/// Throws InputError when the text is not what to_json wrote.
void from_json(const std::string& text, Progress& progress, EarlyStopping& stopping);

/// What besides the configuration changes the last digits of sums: threads, kernels, instruction
/// set; and, where there are several, ranks and their batch norms.
std::string numeric_setting(bool synchronised);

/// The state of LibTorch's CPU generator, from which dropout draws.
at::Tensor generator_state();
void set_generator_state(const at::Tensor& state);

struct Trainer::State {
  State(Network network_, Step step_, Dataset data_, Validate validate_, TrainerOptions options_);

  void train_epoch();
  void rebalance();
  void end_epoch();
  void train_batch(const Batch& batch, std::int64_t whole);
  void check_values(const NamedValues& values, const Batch& batch) const;
  void report(const MetricRecord& record);
  /// By all ranks together; only the one with a folder writes.
  void save();
  bool is_time_to_save() const;
  void load(const Checkpoint& checkpoint);
  void check_weights() const;
  std::filesystem::path checkpoint_path() const { return options.folder / "checkpoint.apc"; }
  double elapsed() const;

  Network network;
  Step step;
  Dataset data;
  Validate validate;
  TrainerOptions options;
  Optimizer optimizer;
  EarlyStopping stopping;
  NamedTensors best;
  Progress progress;
  bool resumed = false;
  bool extended = false;  ///< from a checkpoint of the same run with fewer epochs
  std::vector<MetricSink> sinks;
  std::vector<std::function<void(std::int64_t)>> observers;
  std::optional<JsonLinesFile> metrics;
  std::optional<SharedStep> shared;  ///< where there are other ranks
  double started = 0.0;              ///< clock when this part of the run began
  double earlier = 0.0;              ///< seconds of the parts before it
  double last_saved = 0.0;           ///< clock of the last checkpoint
  double step_seconds = 0.0;         ///< of the steps of this part
  double waited_seconds = 0.0;       ///< of these, waiting for other ranks
};

}  // namespace algprior
