#include "algprior/base/error.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/text.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/experiment/schema.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/evaluate.hpp"
#include "algprior/train/running_averages.hpp"
#include "entries.hpp"
#include "run_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/nn/module.h>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

c10::Device to_device(const std::string& word) {
  try {
    const c10::Device device(word);
    at::empty({1}, at::TensorOptions().device(device));
    return device;
  } catch (const c10::Error&) {
    throw InputError({"this device is not to be had here", word,
                      "cpu, or cuda with a LibTorch built for CUDA and a GPU",
                      "leave --device out"});
  }
}

config::Config read_request(const TrainRequest& request) {
  std::vector<std::string> overrides = request.overrides;
  if (request.seed) overrides.push_back("experiment.seed=" + std::to_string(*request.seed));
  return config::read_config(experiment_schema(), request.file, overrides);
}

int show_cost(const config::Config& config, const c10::Device& device, Terminal& terminal) {
  const Experiment experiment = make_experiment(config);
  experiment.network.module->to(device);
  const CostEstimate cost = estimate_cost(experiment);
  Json pulls = Json::object();
  std::string pulls_text;
  for (const Pull& pull : cost.pulls) {
    pulls[pull.name] = pull.norm;
    pulls_text += fmt::format("{}{} {:.2g}", pulls_text.empty() ? "" : ", ", pull.name, pull.norm);
  }
  if (terminal.json()) {
    terminal.print_json(Json{{"run", run_name(config)},
                             {"parameters", cost.parameters},
                             {"steps_per_epoch", cost.steps_per_epoch},
                             {"epochs", cost.epochs},
                             {"seconds_per_step", cost.seconds_per_step},
                             {"seconds", cost.seconds},
                             {"pulls", pulls}});
  } else {
    terminal.print(
        fmt::format("run         {}\nparameters  {}\nsteps       {} an epoch, at most {} epochs\n"
                    "time        {:.3f} s a step, at most {} in all\n"
                    "pull        {} (norms of the weighted terms' gradients at the start)\n",
                    run_name(config), cost.parameters, cost.steps_per_epoch, cost.epochs,
                    cost.seconds_per_step, format_duration(cost.seconds), pulls_text));
  }
  return 0;
}

// Throws for a folder that holds no finished run.
void check_run(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "config.toml")) {
    throw InputError({"this is no run folder", folder.string(), "a folder with a config.toml",
                      "runs stand in " + (runs_folder() / "EXPERIMENT/ROW/SEED").string()});
  }
  if (!std::filesystem::exists(folder / "model.safetensors")) {
    throw InputError({"this run has not finished", folder.string(), "a model.safetensors in it",
                      "wait for it, or go on with the command that began it"});
  }
}

}  // namespace

int run_train(const TrainRequest& request, Context& context) {
  Terminal& terminal = context.terminal;
  if (request.starter) {
    terminal.print(config::starter_toml(experiment_schema()));
    return 0;
  }
  if (request.file.empty()) {
    throw InputError({"no experiment file is given", "algprior train", "the path of a TOML file",
                      "algprior train --new > my.toml writes one to start from"});
  }
  set_kernels(to_kernels(request.kernels));
  const config::Config config = read_request(request);
  const c10::Device device = to_device(request.device);
  if (request.dry_run) return show_cost(config, device, terminal);
  RunOptions options;
  options.folder = request.folder.empty() ? runs_folder() / run_name(config)
                                          : std::filesystem::path(request.folder);
  options.resume = request.resume;
  options.device = device;
  options.holder = "algprior train " + request.file;
  const Result result = run_with_report(config, options, terminal);
  if (terminal.json()) {
    terminal.print(to_json(result));
  } else {
    terminal.print(results_text({result}) + "run folder: " + options.folder.string() + "\n");
  }
  return 0;
}

int run_eval(const EvalRequest& request, Context& context) {
  set_kernels(to_kernels(request.kernels));
  const std::filesystem::path folder = request.folder;
  check_run(folder);
  const config::Config config = config::read_config(experiment_schema(), folder / "config.toml");
  Experiment experiment = make_experiment(config);
  load_weights(*experiment.network.module, folder / "model.safetensors");
  experiment.network.module->to(to_device(request.device));
  const std::int64_t batch_size = experiment.training.batch_size;
  if (request.fresh_averages) {
    refresh_running_averages(experiment.network, experiment.data.train,
                             RandomKey(0, "running averages"), batch_size);
  }
  std::map<std::string, double> metrics;
  if (request.data.empty()) {
    metrics = measure(experiment);
  } else {
    const Dataset data = make_tensor_dataset(request.data, read_tensor_data(request.data));
    metrics["accuracy"] = accuracy(experiment.network, data, RandomKey(0), batch_size);
  }
  if (context.terminal.json()) {
    context.terminal.print_json(Json{{"run", request.folder}, {"metrics", metrics}});
  } else {
    for (const auto& [name, value] : metrics) {
      context.terminal.print(fmt::format("{:<28} {:.4f}\n", name, value));
    }
  }
  return 0;
}

}  // namespace algprior
