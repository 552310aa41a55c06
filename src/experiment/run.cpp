#include "algprior/experiment/run.hpp"

#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/lock.hpp"
#include "algprior/experiment/predictor.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/ranks/world.hpp"
#include "algprior/toml/read_config.hpp"
#include "algprior/version.hpp"
#include "run_files.hpp"
#include "threads.hpp"

#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;
using config::Config;
using Recipes = std::vector<Recipe>;

// The text of the configuration under which a folder is worked in, and the one that it had before
// where the run is to have more epochs.
struct Claim {
  std::string text;
  std::string before;
};

// Whether the changes only let a run go on for longer. A cosine schedule is laid out over all
// epochs: with more of them the run would have been another from the start.
bool extends(const Config& before, const Config& after,
             const std::vector<config::Difference>& changes) {
  for (const config::Difference& change : changes) {
    if (change.name != "train.epochs" && change.name != "train.patience") return false;
  }
  const auto epochs = [](const Config& config) {
    return config.has("train.epochs") ? config.get<std::int64_t>("train.epochs") : 0;
  };
  return epochs(after) >= epochs(before) && after.has("train.schedule") &&
         after.get<std::string>("train.schedule") != "cosine";
}

// A folder with a checkpoint or a result belongs to the configuration that made them; an attempt
// that failed before its first checkpoint leaves nothing worth keeping. Returns the configuration's
// text, which an older version may have written with other keys.
Claim claim_folder(const RunOptions& options, const Config& config, const Recipes& recipes) {
  const fs::path& folder = options.folder;
  const fs::path file = folder / "config.toml";
  const bool in_use = fs::exists(folder / "checkpoint.apc") || fs::exists(folder / "result.json");
  if (in_use && fs::exists(file)) {
    const Config before = read_run_config(folder, recipes);
    auto changes = config::differences(before, config);
    // A folder from before this key is not another run because of its default.
    if (read_file(file).find("\nties = ") == std::string::npos) {
      std::erase_if(changes, [](const auto& change) { return change.name == "train.ties"; });
    }
    if (changes.empty()) return {read_file(file), {}};
    if (options.resume && extends(before, config, changes)) {
      return {config::to_toml(config), read_file(file)};
    }
    throw InputError(
        {"the run folder belongs to another configuration", folder.string(),
         "the settings of its config.toml; these differ:\n" + config::to_text(changes),
         "choose another folder, or undo the changes; a resume may ask for more epochs"});
  }
  const std::string text = config::to_toml(config);
  write_file(file, text);
  return {text, {}};
}

std::vector<std::string> names_of(const std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.emplace_back(metric.name);
  return names;
}

Result describe(const Config& config, const Experiment& experiment) {
  const Machine machine = this_machine();
  Result result{.id = run_id(config),
                .reference = config.has("experiment.reference")
                                 ? config.get<std::vector<std::string>>("experiment.reference")
                                 : std::vector<std::string>{},
                .epochs = 0,
                .parameters = 0,
                .metrics = {},
                .columns = names_of(experiment.columns),
                .seconds = 0,
                .threads = torch::get_num_threads(),
                .kernels = to_string(kernels()),
                .commit = build_commit(),
                .machine = {{"cpu", machine.cpu},
                            {"cores", std::to_string(machine.cores)},
                            {"instruction_set", instruction_set()}},
                .config_hash = config::config_hash(config)};
  if (!world().alone()) result.machine["ranks"] = std::to_string(world().size());
  return result;
}

// The weights get their file when the training is done: what is missing then is the measurement,
// which failed, perhaps for its data, or was stopped.
bool is_trained(const fs::path& folder) {
  return fs::exists(folder / kWeightsFile);
}

// What a training gave, and the weights of the best epoch where the last ones are kept and differ.
struct Trained {
  TrainingResult result;
  NamedTensors best;
};

// The training itself; what it leaves are the weights that are measured.
Trained train(const Network& network, const Training& training, const Claim& claim,
              const fs::path& folder, const RunOptions& options, Result& result) {
  TrainerOptions trainer_options = training.options;
  trainer_options.folder = folder;
  trainer_options.config = claim.text;
  trainer_options.config_before = claim.before;
  // A training that is done has no more digits to change.
  trainer_options.allow_other_setting =
      options.allow_other_setting || (claim.before.empty() && is_trained(options.folder));
  trainer_options.synchronised = options.synchronised;
  const std::int64_t steps =
      batch_count(training.data.size, trainer_options.batch_size) * trainer_options.epochs;
  Trainer trainer(network, training.step, training.data, training.validate, trainer_options);
  if (options.sink) trainer.add_sink(options.sink);
  if (options.progress) {
    trainer.observe_steps([&, steps](std::int64_t done) {
      options.progress(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(steps));
    });
  }
  if (training.observe && world().leads()) trainer.observe_steps(training.observe(folder));
  const bool extended = !claim.before.empty();
  if (extended && world().leads()) {
    // What stands there is of fewer epochs. The checkpoint has them all, and gets the new
    // configuration before the folder does.
    fs::remove(folder / kResultFile);
    fs::remove(folder / kWeightsFile);
  }
  const bool resume = options.resume || (world().leads() && is_trained(folder));
  if (world().share(resume ? "resume" : "") == "resume") trainer.resume();
  if (extended && world().leads()) write_file(folder / "config.toml", claim.text);
  const TrainingResult trained = trainer.run();
  if (training.finish && world().leads()) training.finish(folder, trained.steps);
  if (training.keep_best) set_weights(*network.module, trainer.best_weights());
  result.seconds += trained.seconds;
  result.metrics[std::string(metrics::kValidation.name) + trainer_options.watch] = trained.best;
  if (world().leads()) save_weights(*network.module, folder / kWeightsFile);
  if (training.keep_best || trained.best_epoch == trained.epochs) return {trained, {}};
  return {trained, trainer.best_weights()};
}

// A phase that is done is taken up from its last checkpoint, which has nothing left to train: so a
// resume of any phase is that of the first. Returns the best weights of the first.
NamedTensors train_phases(const Experiment& experiment, const Claim& claim,
                          const RunOptions& options, Result& result) {
  Trained trained =
      train(experiment.network, *experiment.training, claim, options.folder, options, result);
  result.epochs = trained.result.epochs;
  if (!world().alone() && trained.result.step_seconds > 0.0) {
    result.machine["waited"] =
        fmt::format("{:.1f} % of the steps' seconds",
                    100.0 * trained.result.waited_seconds / trained.result.step_seconds);
  }
  result.metrics[std::string(metrics::kBestEpoch.name)] =
      static_cast<double>(trained.result.best_epoch);
  if (experiment.training->options.balance.ratio > 0.0) {
    result.metrics[std::string(metrics::kPriorBalance.name)] = trained.result.balance;
  }
  for (const Phase& phase : experiment.phases) {
    const fs::path folder = options.folder / phase.name;
    // What followed a shorter training does not follow a longer one.
    if (!claim.before.empty() && world().leads()) fs::remove_all(folder);
    phase.network.module->to(options.device);
    train(phase.network, phase.begin(), {claim.text, {}}, folder, options, result);
  }
  return std::move(trained.best);
}

Result run(const Config& config, const Claim& claim, const RunOptions& options,
           const Recipes& recipes) {
  const Experiment experiment = make_experiment(config, recipes);
  if (!experiment.training) {
    if (!world().alone()) {
      throw InputError({"this experiment has nothing to train together",
                        fmt::format("{} ranks", world().size()), "one process",
                        "run it without algprior launch or srun -n"});
    }
    Result result = describe(config, experiment);
    const auto start = std::chrono::steady_clock::now();
    result.metrics = experiment.measure({options.folder, options.progress});
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  }
  experiment.network.module->to(options.device);
  const auto one_thread = threads_for(experiment);
  if (experiment.check) experiment.check();
  if (world().leads()) write_network_file(options.folder, config, experiment);
  Result result = describe(config, experiment);
  result.parameters = parameter_count(experiment.network);
  try {
    NamedTensors best = train_phases(experiment, claim, options, result);
    result.metrics.merge(experiment.measure({options.folder, options.progress, std::move(best)}));
  } catch (const DivergedError& error) {
    // The run then counts as not converged: it stands in the table and is never dropped.
    if (!experiment.training->may_diverge) throw;
    if (world().leads()) {
      write_file(options.folder / kDivergedFile, std::string(error.what()) + "\n");
    }
    result.metrics = {{std::string(metrics::kDiverged.name), 1.0},
                      {std::string(metrics::kConverged.name), 0.0}};
  }
  return result;
}

}  // namespace

Result run_experiment(const Config& config, const RunOptions& given, const Recipes& recipes) {
  world().agree("the program", fmt::format("version {}\ncommit {}\n", kVersion, build_commit()));
  world().agree("the configuration", config::to_toml(config));
  RunOptions options = given;
  if (!world().leads()) options.folder.clear();
  const fs::path result_file = options.folder / kResultFile;
  std::optional<FolderLock> lock;
  Claim claim;
  std::string finished;
  if (world().leads()) {
    make_folder(options.folder);
    lock.emplace(options.folder, options.holder);
    claim = claim_folder(options, config, recipes);
    if (fs::exists(result_file) && claim.before.empty()) {
      finished = to_json(read_result(result_file));
    }
  }
  finished = world().share(finished);
  if (!finished.empty()) return parse_result(finished, result_file.string());
  claim = {world().share(claim.text), world().share(claim.before)};
  Result result = run(config, claim, options, recipes);
  if (!world().leads()) return result;
  result.files = checksums_of(options.folder);
  write_result(result_file, result);
  return result;
}

void check_weights_file(const fs::path& folder) {
  if (fs::exists(folder / kDivergedFile)) {
    throw InputError({"this run diverged and has no weights to measure", folder.string(),
                      "a run that stayed finite",
                      "see " + (folder / kDivergedFile).string() + " for what ran away"});
  }
  if (!fs::exists(folder / kWeightsFile)) {
    throw InputError({"this run has not finished", folder.string(), "a model.safetensors in it",
                      "wait for it, or go on with the command that began it"});
  }
  if (fs::exists(folder / kResultFile)) {
    check_file(read_result(folder / kResultFile), folder, kWeightsFile);
  }
}

Experiment load_experiment(const fs::path& folder, c10::Device device, const Recipes& recipes) {
  if (fs::exists(folder / kDivergedFile)) check_weights_file(folder);
  Experiment experiment = make_experiment(read_run_config(folder, recipes), recipes);
  if (!experiment.training) {
    throw InputError({"this run has no network to measure", folder.string(), "a run that trained",
                      "its numbers are in " + (folder / "result.json").string()});
  }
  const auto load = [device](const Network& network, const fs::path& place) {
    check_weights_file(place);
    load_weights(*network.module, place / kWeightsFile);
    network.module->to(device);
  };
  load(experiment.network, folder);
  for (const Phase& phase : experiment.phases) load(phase.network, folder / phase.name);
  return experiment;
}

}  // namespace algprior
