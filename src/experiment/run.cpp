#include "algprior/experiment/run.hpp"

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
#include "algprior/version.hpp"

#include <chrono>
#include <vector>

#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;
using config::Config;

RandomKey key_of(const Config& config, const char* purpose) {
  return RandomKey(static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed")),
                   purpose);
}

// A folder belongs to the configuration that was written into it first.
void claim_folder(const fs::path& folder, const Config& config) {
  const fs::path file = folder / "config.toml";
  if (fs::exists(file)) {
    const Config before = config::read_config(experiment_schema(), file);
    const auto changes = config::differences(before, config);
    if (changes.empty()) return;
    throw InputError({"the run folder belongs to another configuration", folder.string(),
                      "the settings of its config.toml; these differ:\n" + config::to_text(changes),
                      "choose another folder with --out, or undo the changes"});
  }
  write_file(file, config::to_toml(config));
}

Result describe(const Experiment& experiment, const TrainingResult& training) {
  const Config& config = experiment.config;
  const Machine machine = this_machine();
  const std::string name = run_name(config);
  const std::size_t first = name.find('/'), last = name.rfind('/');
  return {.experiment = name.substr(0, first),
          .row = name.substr(first + 1, last - first - 1),
          .seed = experiment.training.seed,
          .reference = config.get<std::vector<std::string>>("experiment.reference"),
          .epochs = training.epochs,
          .parameters = parameter_count(experiment.network),
          .metrics = {},
          .seconds = training.seconds,
          .threads = torch::get_num_threads(),
          .kernels = to_string(kernels()),
          .commit = build_commit(),
          .machine = {{"cpu", machine.cpu},
                      {"cores", std::to_string(machine.cores)},
                      {"instruction_set", instruction_set()}},
          .config_hash = config::config_hash(config)};
}

}  // namespace

std::map<std::string, double> measure(const Experiment& experiment) {
  std::map<std::string, double> metrics;
  const std::int64_t batch = experiment.training.batch_size;
  for (const TestSet& test : experiment.data.tests) {
    metrics[test.metric] =
        accuracy(experiment.network, test.data, key_of(experiment.config, "test"), batch);
  }
  std::vector<at::Tensor> z, zg, g;
  for_each_batch(experiment.network, experiment.data.pairs, key_of(experiment.config, "test"),
                 batch, [&](const Batch& pair) {
                   z.push_back(experiment.network.forward(pair.x).latents.at(0).cpu());
                   zg.push_back(experiment.network.forward(pair.gx).latents.at(0).cpu());
                   g.push_back(pair.g.cpu());
                 });
  const auto error_to = [&](const Action& latent) {
    return equivariance_error(latent, torch::cat(z), torch::cat(zg), torch::cat(g));
  };
  metrics["equivariance_error"] = error_to(experiment.latent);
  if (experiment.regular_fits) {
    metrics["equivariance_error_regular"] = error_to(experiment.regular);
  }
  return metrics;
}

Result run_experiment(const Config& config, const RunOptions& options) {
  make_folder(options.folder);
  const FolderLock lock(options.folder, options.holder);
  claim_folder(options.folder, config);
  const fs::path result_file = options.folder / "result.json";
  if (fs::exists(result_file)) return read_result(result_file);

  Experiment experiment = make_experiment(config);
  experiment.network.module->to(options.device);
  experiment.training.folder = options.folder;
  const auto validate = [&](const Network& network, std::int64_t epoch) {
    const RandomKey key = key_of(config, "validation").at(static_cast<std::uint32_t>(epoch));
    return std::map<std::string, double>{
        {"accuracy",
         accuracy(network, experiment.data.validation, key, experiment.training.batch_size)}};
  };
  Trainer trainer(experiment.network, experiment.step, experiment.data.train, validate,
                  experiment.training);
  if (options.sink) trainer.add_sink(options.sink);
  if (options.resume) trainer.resume();
  const TrainingResult training = trainer.run();

  set_weights(*experiment.network.module, trainer.best_weights());
  save_weights(*experiment.network.module, options.folder / "model.safetensors");
  Result result = describe(experiment, training);
  result.metrics = measure(experiment);
  result.metrics["validation_accuracy"] = training.best;
  result.metrics["best_epoch"] = static_cast<double>(training.best_epoch);
  write_result(result_file, result);
  return result;
}

CostEstimate estimate_cost(const Experiment& experiment) {
  constexpr int kSteps = 3;
  const TrainerOptions& training = experiment.training;
  CostEstimate cost;
  cost.parameters = parameter_count(experiment.network);
  cost.epochs = training.epochs;
  cost.steps_per_epoch =
      (experiment.data.train.size + training.batch_size - 1) / training.batch_size;
  const auto batches = ordered_batches(experiment.data.train.size, training.batch_size);
  std::chrono::duration<double> spent{};
  for (int i = 0; i <= kSteps; ++i) {  // the first step warms up and is not counted
    const auto start = std::chrono::steady_clock::now();
    const auto& indices = batches[static_cast<std::size_t>(i) % batches.size()];
    const Batch batch = experiment.data.train.get(indices, key_of(experiment.config, "estimate"));
    experiment.step(experiment.network, batch).total().backward();
    if (i > 0) spent += std::chrono::steady_clock::now() - start;
  }
  cost.seconds_per_step = spent.count() / kSteps;
  cost.seconds = cost.seconds_per_step * static_cast<double>(cost.steps_per_epoch * cost.epochs);
  return cost;
}

}  // namespace algprior
