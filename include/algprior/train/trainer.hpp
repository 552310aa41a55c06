#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/balance.hpp"
#include "algprior/train/early_stopping.hpp"
#include "algprior/train/metrics.hpp"
#include "algprior/train/optimizer.hpp"
#include "algprior/train/schedule.hpp"
#include "algprior/train/step.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace algprior {

struct TrainerOptions {
  std::int64_t epochs = 150;
  std::int64_t batch_size = 256;
  std::uint64_t seed = 0;  ///< of the order of samples and of everything drawn for a sample
  std::vector<ParameterGroup> parameters = {{"", {}}};  ///< of Adam
  /// Another optimizer than Adam; to_optimizer takes any of LibTorch's.
  std::function<Optimizer(const torch::nn::Module& module)> optimizer = {};
  Schedule schedule;
  /// The factor on the learning rate by a function of your own, instead of `schedule`: of the epoch
  /// (from 0), the number of epochs and the step of the run (from 0).
  std::function<double(std::int64_t epoch, std::int64_t epochs, std::int64_t step)> rate = {};
  Balance balance = {};    ///< of a prior's weight against the rest
  double clip_norm = 0.0;  ///< the gradient of all weights is scaled down to this norm; 0: never
  std::string watch = "accuracy";  ///< the validation metric that decides on the best weights
  std::string tie_break;  ///< the metric that decides between epochs with equal watched ones, the
                          ///< lower the better; empty: the first of them stays
  EarlyStopping stopping;
  std::filesystem::path folder;  ///< checkpoint.apc and metrics.jsonl go here; empty: no files
  bool tensorboard = true;       ///< an event file in the folder too
  double checkpoint_seconds =
      60.0;  ///< between checkpoints inside an epoch; each epoch ends with one
  /// Resume with other threads, kernels or ranks, giving up equal bits.
  bool allow_other_setting = false;
  /// Batch norms by the samples of all ranks (ranks/batch_norm.hpp), else each by its own.
  bool synchronised = false;
  std::string config;  ///< the run's whole configuration; a resume under another one is refused
  /// Another configuration under which the checkpoint may have been written: the same run with
  /// fewer epochs. A resume from it writes the checkpoint anew under `config`.
  std::string config_before = {};
};

struct TrainingResult {
  std::int64_t epochs = 0;      ///< epochs trained
  std::int64_t steps = 0;       ///< optimizer steps
  std::int64_t best_epoch = 0;  ///< from 1
  double best = 0.0;            ///< the watched metric there
  bool stopped_early = false;
  double seconds = 0.0;  ///< training and validation, over all resumed parts
  double balance = 1.0;  ///< the last factor on the balanced terms' weights; 1 without a balance
  double step_seconds = 0.0;    ///< the steps alone, since this process took the run up
  double waited_seconds = 0.0;  ///< of these, waiting for sums over the ranks
};

/// Trains a network on a task. Knows nothing of the task but its Step and a function that
/// validates.
///
/// Batches are prepared on a worker thread. All that is random follows from (seed, purpose, epoch,
/// sample), and the checkpoint holds the rest: weights, moments, best weights, counters and the
/// state of LibTorch's CPU generator (for dropout). So a run that was killed and resumed, at
/// whatever step, ends with the bits of a run never interrupted, given the same build and number of
/// threads.
///
/// With several ranks (ranks/world.hpp) each takes its share of every batch: batch_size is that of
/// all together, and which samples make a batch does not depend on the ranks. The gradient is that
/// of the loss on the whole batch, provided that terms that are no means over samples are computed
/// over all ranks (ranks/shared_batch.hpp), as those of this library are. Rank 0 alone needs a
/// folder; the checkpoint is good for any number of ranks.
class Trainer {
 public:
  /// Metrics of the network after an epoch (from 1), on validation data.
  using Validate =
      std::function<std::map<std::string, double>(const Network& network, std::int64_t epoch)>;

  Trainer(Network network, Step step, Dataset data, Validate validate, TrainerOptions options);
  ~Trainer();

  void add_sink(MetricSink sink);
  /// Called with the number of steps done when run() begins (0, or where a resume takes up) and
  /// after every step.
  void observe_steps(std::function<void(std::int64_t steps)> observer);

  /// Takes up the folder's checkpoint; false when there is none. Throws FileError when it is
  /// damaged, InputError listing the differences when it was written under another configuration
  /// or, unless allowed, with other threads or kernels.
  bool resume();

  /// Trains to the end: all epochs, or patience lost. Without a resume before it, a folder that
  /// holds a checkpoint is refused with InputError. A stop request (base/interrupt.hpp) writes a
  /// checkpoint and throws Interrupted. A term that is not finite throws DivergedError naming term
  /// and step; the last good checkpoint stays. Afterwards the network holds the last weights.
  TrainingResult run();

  /// The weights of the best epoch; for set_weights.
  const NamedTensors& best_weights() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace algprior
