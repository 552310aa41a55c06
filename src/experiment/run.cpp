#include "algprior/experiment/run.hpp"

#include "algprior/analysis/eigenvalues.hpp"
#include "algprior/analysis/equivariance.hpp"
#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/lock.hpp"
#include "algprior/base/random.hpp"
#include "algprior/experiment/schema.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/evaluate.hpp"
#include "algprior/train/one_thread.hpp"
#include "algprior/train/running_averages.hpp"
#include "algprior/version.hpp"
#include "learned.hpp"
#include "sources.hpp"

#include <chrono>
#include <optional>
#include <vector>

#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;
using config::Config;

// A folder with a checkpoint or a result belongs to the configuration that made them; an attempt
// that failed before its first checkpoint leaves nothing worth keeping. Returns the configuration's
// text, which an older version may have written without keys that the schema has since gained.
std::string claim_folder(const fs::path& folder, const Config& config) {
  const fs::path file = folder / "config.toml";
  const bool in_use = fs::exists(folder / "checkpoint.apc") || fs::exists(folder / "result.json");
  if (in_use && fs::exists(file)) {
    const Config before = config::read_config(experiment_schema(), file);
    const auto changes = config::differences(before, config);
    if (changes.empty()) return read_file(file);
    throw InputError({"the run folder belongs to another configuration", folder.string(),
                      "the settings of its config.toml; these differ:\n" + config::to_text(changes),
                      "choose another folder with --out, or undo the changes"});
  }
  const std::string text = config::to_toml(config);
  write_file(file, text);
  return text;
}

Result describe(const Config& config) {
  const Machine machine = this_machine();
  const std::string name = run_name(config);
  const std::size_t first = name.find('/'), last = name.rfind('/');
  return {.experiment = name.substr(0, first),
          .row = name.substr(first + 1, last - first - 1),
          .seed = static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed")),
          .reference = config.get<std::vector<std::string>>("experiment.reference"),
          .epochs = 0,
          .parameters = 0,
          .metrics = {},
          .seconds = 0,
          .threads = torch::get_num_threads(),
          .kernels = to_string(kernels()),
          .commit = build_commit(),
          .machine = {{"cpu", machine.cpu},
                      {"cores", std::to_string(machine.cores)},
                      {"instruction_set", instruction_set()}},
          .config_hash = config::config_hash(config)};
}

// What the network makes of a data set in evaluation mode; zg and g when partners are asked for
// and its samples have them.
struct EncodedSet {
  double accuracy = 0;
  at::Tensor z, zg, g;

  double error_to(const Action& latent) const { return equivariance_error(latent, z, zg, g); }
};

EncodedSet encode_set(const Experiment& experiment, const Dataset& data, const RandomKey& key,
                      bool partners) {
  std::int64_t right = 0;
  std::vector<at::Tensor> z, zg, g;
  for_each_batch(experiment.network, data, key, experiment.training.batch_size,
                 [&](const Batch& batch) {
                   const Encoded encoded = experiment.network.forward(batch.x);
                   right += count_right(encoded.output, batch.y);
                   z.push_back(encoded.latents.at(0).cpu());
                   if (!partners || !batch.paired()) return;
                   zg.push_back(experiment.network.forward(batch.gx).latents.at(0).cpu());
                   g.push_back(batch.g.cpu());
                 });
  EncodedSet set{
      static_cast<double>(right) / static_cast<double>(data.size), torch::cat(z), {}, {}};
  if (g.empty()) return set;
  set.zg = torch::cat(zg);
  set.g = torch::cat(g);
  return set;
}

std::map<std::string, double> validate(const Experiment& experiment, std::int64_t epoch) {
  const RandomKey key =
      key_of(experiment.config, "validation").at(static_cast<std::uint32_t>(epoch));
  const Dataset& data = experiment.data.validation;
  if (experiment.config.get<bool>("train.fresh_averages")) {
    refresh_running_averages(experiment.network, experiment.data.train,
                             key.purpose("running averages"), experiment.training.batch_size);
  }
  if (experiment.learned) return validation_losses(experiment, data, key);
  const bool prior = experiment.config.get<std::string>("prior.representation") != "none";
  const EncodedSet encoded = encode_set(experiment, data, key, prior);
  std::map<std::string, double> metrics{{"accuracy", encoded.accuracy}};
  if (encoded.g.defined()) metrics["equivariance_error"] = encoded.error_to(experiment.latent);
  if (experiment.config.get<bool>("train.probes")) metrics.merge(measure_probes(experiment));
  return metrics;
}

std::int64_t steps_per_epoch(const Experiment& experiment) {
  return batch_count(experiment.data.train.size, experiment.training.batch_size);
}

// The training itself; what it leaves are the weights that are measured.
void train(const Experiment& experiment, const RunOptions& options, Result& result) {
  Trainer trainer(
      experiment.network, experiment.step, experiment.data.train,
      [&](const Network&, std::int64_t epoch) { return validate(experiment, epoch); },
      experiment.training);
  if (options.sink) trainer.add_sink(options.sink);
  if (options.progress) {
    trainer.observe_steps(
        [&, total = static_cast<std::uint64_t>(steps_per_epoch(experiment) *
                                               experiment.training.epochs)](std::int64_t steps) {
          options.progress(static_cast<std::uint64_t>(steps), total);
        });
  }
  if (experiment.learned) {
    trainer.observe_steps(
        record_eigenvalues(experiment.data.group, options.folder / "eigenvalues.csv",
                           [&] { return to_approximate(experiment.learned->representation()); }));
  }
  if (options.resume) trainer.resume();
  const TrainingResult training = trainer.run();
  if (experiment.learned) {
    EigenvalueTrajectory(experiment.data.group, options.folder / "eigenvalues.csv")
        .record(training.steps, to_approximate(experiment.learned->representation()));
  }
  if (experiment.config.get<std::string>("train.keep") == "best") {
    set_weights(*experiment.network.module, trainer.best_weights());
  }
  result.epochs = training.epochs;
  result.seconds = training.seconds;
  result.metrics["validation_" + experiment.training.watch] = training.best;
  result.metrics["best_epoch"] = static_cast<double>(training.best_epoch);
}

// The null model has neither data nor network: nothing to train, one answer for all its seeds.
Result run_null(const Config& config, const RunOptions& options) {
  Result result = describe(config);
  const auto start = std::chrono::steady_clock::now();
  result.metrics = measure_null_model(config, options.folder, options.progress);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

// Whether LibTorch trains the network faster on one thread than on several. DDMNIST and CIFAR have
// convolutions that gain from threads.
bool small_layers(const Experiment& experiment) {
  constexpr std::int64_t kProducts = 100'000'000;  // weights × samples of a step
  const auto& kind = experiment.config.get<std::string>("network.kind");
  return (kind.starts_with("mlp") || kind == "conv_autoencoder") &&
         parameter_count(experiment.network) * experiment.training.batch_size < kProducts;
}

// `claim`: the text of the configuration as the folder has it.
Result run_training(const Config& config, const std::string& claim, const RunOptions& options) {
  Experiment experiment = make_experiment(config);
  experiment.network.module->to(options.device);
  std::optional<OneThread> one_thread;
  if (small_layers(experiment)) one_thread.emplace();
  experiment.training.folder = options.folder;
  experiment.training.config = claim;
  Result result = describe(config);
  result.parameters = parameter_count(experiment.network);
  try {
    train(experiment, options, result);
    save_weights(*experiment.network.module, options.folder / "model.safetensors");
    result.metrics.merge(measure(experiment, options.folder));
  } catch (const DivergedError& error) {
    // A learned representation may diverge. The run then counts as not converged: it stands in the
    // table and is never dropped.
    if (!experiment.learned) throw;
    write_file(options.folder / "diverged.txt", std::string(error.what()) + "\n");
    result.metrics = {{"diverged", 1.0}, {"converged", 0.0}};
  }
  return result;
}

}  // namespace

std::map<std::string, double> measure(const Experiment& experiment, const fs::path& folder) {
  if (experiment.learned) return measure_representation(experiment, folder);
  std::map<std::string, double> metrics;
  const RandomKey key = key_of(experiment.config, "test");
  const std::int64_t batch_size = experiment.training.batch_size;
  const TestSet& headline = experiment.data.tests.at(0);
  const EncodedSet encoded = encode_set(experiment, headline.data, key, true);
  metrics[headline.metric] = encoded.accuracy;
  for (std::size_t i = 1; i < experiment.data.tests.size(); ++i) {
    const TestSet& test = experiment.data.tests[i];
    metrics[test.metric] = accuracy(experiment.network, test.data, key, batch_size);
  }
  metrics["equivariance_error"] = encoded.error_to(experiment.latent);
  metrics["latent_spread"] = latent_spread(encoded.z);
  if (experiment.regular_fits) {
    metrics["equivariance_error_regular"] = encoded.error_to(experiment.regular);
  }
  if (experiment.config.get<bool>("train.probes")) metrics.merge(measure_probes(experiment));
  return metrics;
}

Result run_experiment(const Config& config, const RunOptions& options) {
  make_folder(options.folder);
  const FolderLock lock(options.folder, options.holder);
  const std::string claim = claim_folder(options.folder, config);
  const fs::path result_file = options.folder / "result.json";
  if (fs::exists(result_file)) return read_result(result_file);
  const Result result = config.get<std::string>("data.kind") == "none"
                            ? run_null(config, options)
                            : run_training(config, claim, options);
  write_result(result_file, result);
  return result;
}

CostEstimate estimate_cost(const Experiment& experiment) {
  constexpr int kSteps = 3;
  const TrainerOptions& training = experiment.training;
  std::optional<OneThread> one_thread;  // as the run itself
  if (small_layers(experiment)) one_thread.emplace();
  CostEstimate cost;
  cost.parameters = parameter_count(experiment.network);
  cost.epochs = training.epochs;
  cost.steps_per_epoch = steps_per_epoch(experiment);
  // Shuffled: the first samples of a data set are often all of one class.
  const RandomKey key = key_of(experiment.config, "estimate");
  const auto batches = shuffled_batches(experiment.data.train.size, training.batch_size, key);
  const auto device = device_of(experiment.network);
  std::chrono::duration<double> spent{};
  for (int i = 0; i <= kSteps; ++i) {  // the first step warms up and is not counted
    const auto start = std::chrono::steady_clock::now();
    const auto& indices = batches[static_cast<std::size_t>(i) % batches.size()];
    const Batch batch = experiment.data.train.get(indices, key);
    const Terms terms = experiment.step(experiment.network, to_device(batch, device));
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
