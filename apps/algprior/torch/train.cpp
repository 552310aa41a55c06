#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/escape.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/text.hpp"
#include "algprior/data/check.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/paper/result_table.hpp"
#include "algprior/prior/room.hpp"
#include "algprior/ranks/world.hpp"
#include "algprior/toml/read_config.hpp"
#include "algprior/train/evaluate.hpp"
#include "algprior/train/running_averages.hpp"
#include "device.hpp"
#include "entries.hpp"
#include "run_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/cuda.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

bool names_run_folder(const TrainRequest& request) {
  std::error_code ignored;
  return std::filesystem::is_directory(request.file, ignored);
}

config::Config read_request(const TrainRequest& request) {
  std::vector<std::string> overrides = request.overrides;
  if (request.seed) overrides.push_back("experiment.seed=" + std::to_string(*request.seed));
  if (!names_run_folder(request)) {
    return config::read_config(experiment_schema(), request.file, overrides);
  }
  if (request.seed || !request.folder.empty()) {
    throw InputError({"a run folder has its seed and its place", request.file,
                      "the folder without --seed and --out", "or an experiment file"});
  }
  return read_run_config(request.file, built_in_recipes(), overrides);
}

// For tasks with classes: what equivariance leaves a classifier.
std::string room_text(const CostEstimate& cost, const Experiment& experiment) {
  std::string text;
  if (experiment.task.metrics.at(0).metric.name != metrics::kAccuracy.name) return text;
  for (const LayerRoom& room : cost.rooms) {
    const std::int64_t classes = experiment.data->outputs;
    text += fmt::format("room        {:.3g} invariant numbers in the {} of Z, {} classes\n",
                        room.invariants, room.dimension, classes);
    const auto advice =
        room_advice(experiment.network.head, room.invariants, room.dimension, classes);
    for (const std::string& line : wrap_words(advice, 66)) text += "            " + line + "\n";
  }
  return text;
}

int show_cost(const config::Config& config, const c10::Device& device, Terminal& terminal) {
  const Experiment experiment = make_experiment(config);
  if (experiment.training) experiment.network.module->to(device);
  const CostEstimate cost = estimate_cost(experiment);
  Json pulls = Json::object();
  std::string pulls_text;
  for (const Pull& pull : cost.pulls) {
    pulls[pull.name] = pull.norm;
    pulls_text += fmt::format("{}{} {:.2g}", pulls_text.empty() ? "" : ", ", pull.name, pull.norm);
  }
  if (terminal.json()) {
    Json rooms = Json::array();
    for (const LayerRoom& room : cost.rooms) {
      rooms.push_back({{"layer", room.layer},
                       {"dimension", room.dimension},
                       {"invariants", room.invariants},
                       {"classes", experiment.data->outputs}});
    }
    terminal.print_json(Json{{"run", to_string(run_id(config))},
                             {"parameters", cost.parameters},
                             {"steps_per_epoch", cost.steps_per_epoch},
                             {"epochs", cost.epochs},
                             {"seconds_per_step", cost.seconds_per_step},
                             {"seconds", cost.seconds},
                             {"pulls", pulls},
                             {"balance", cost.balance > 0 ? Json(cost.balance) : Json(nullptr)},
                             {"room", rooms}});
  } else {
    terminal.print(
        fmt::format("run         {}\nparameters  {}\nsteps       {} an epoch, at most {} epochs\n"
                    "time        {:.3f} s a step, at most {} in all\n"
                    "pull        {} (norms of the weighted terms' gradients at the start)\n",
                    to_string(run_id(config)), cost.parameters, cost.steps_per_epoch, cost.epochs,
                    cost.seconds_per_step, format_duration(cost.seconds), pulls_text) +
        (cost.balance > 0 ? fmt::format("balance     weight {:.3g} of the prior\n", cost.balance)
                          : "") +
        room_text(cost, experiment));
  }
  return 0;
}

// What one rank fails of is told to the others, so that they end with its reason.
template <class Work>
Result with_ranks(World& ranks, Work&& work) {
  try {
    return work();
  } catch (const Interrupted&) {
    ranks.fail("it was asked to stop");  // most often all of them heard, and end with it
    throw;
  } catch (const Error& error) {
    const Failure& failure = error.failure();
    ranks.fail(failure.what + ": " + failure.where +
               (failure.next.empty() ? "" : " (" + failure.next + ")"));
    throw;
  } catch (const std::exception& error) {
    ranks.fail(error.what());
    throw;
  }
}

// "cuda" is for each rank its own GPU.
c10::Device device_of_rank(const std::string& word, const RankPlace& place) {
  if (word != "cuda" || place.size == 1 || !torch::cuda::is_available()) return to_device(word);
  const auto visible = static_cast<int>(torch::cuda::device_count());
  return to_device(fmt::format("cuda:{}", gpu_of(place, visible)));
}

}  // namespace

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

int run_train(const TrainRequest& request, Context& context) {
  Terminal& terminal = context.terminal;
  if (request.file.empty()) {
    throw InputError({"no experiment file is given", "algprior train",
                      "the path of a TOML file, - for the standard input, or a run folder",
                      "algprior train --new > my.toml writes one to start from"});
  }
  set_kernels(to_kernels(request.kernels));
  const config::Config config = read_request(request);
  const RankPlace place = place_from_environment();
  const c10::Device device = device_of_rank(request.device, place);
  if (request.dry_run) return show_cost(config, device, terminal);
  World ranks(place);
  const WorldScope scope(ranks);
  RunOptions options;
  options.folder = names_run_folder(request) ? std::filesystem::path(request.file)
                   : request.folder.empty()  ? runs_folder() / to_string(run_id(config))
                                             : std::filesystem::path(request.folder);
  options.resume = request.resume || names_run_folder(request);
  options.allow_other_setting = request.other_setting;
  options.device = device;
  options.synchronised = request.batch_norm == "synchronised";
  options.holder = "algprior train " + request.file;
  std::string line = "algprior train " + shell_word(options.folder.string()) + " --resume";
  if (context.threads != usable_cores()) line += fmt::format(" --threads {}", context.threads);
  if (request.kernels != "auto") line += " --kernels " + request.kernels;
  if (request.device != "cpu") line += " --device " + request.device;
  if (!ranks.alone()) line = fmt::format("with {} ranks, {}", ranks.size(), line);
  const Result result = with_ranks(ranks, [&] {
    return ranks.leads() ? run_with_report(config, options, line, terminal)
                         : run_experiment(config, options);
  });
  if (!ranks.leads()) return 0;
  if (terminal.json()) {
    terminal.print(to_json(result));
  } else {
    terminal.print(to_text(std::vector<Result>{result}) + "run folder: " + options.folder.string() +
                   "\n");
  }
  return 0;
}

int run_eval(const EvalRequest& request, Context& context) {
  set_kernels(to_kernels(request.kernels));
  const Experiment experiment = load_experiment(request.folder, to_device(request.device));
  const std::int64_t batch_size = experiment.training->options.batch_size;
  if (request.fresh_averages) {
    refresh_running_averages(experiment.network, experiment.training->data,
                             RandomKey(0, "running averages"), batch_size);
  }
  std::map<std::string, double> metrics;
  if (request.data.empty()) {
    metrics = experiment.measure({});
  } else {
    const TensorData arrays = read_tensor_data(request.data);
    check_finite(arrays.x, request.data + ": x");
    check_finite(arrays.y, request.data + ": y");
    if (experiment.task.name == classify().name) {
      check_labels(arrays.y, experiment.data.value().outputs, request.data + ": y");
    }
    const Dataset data = make_tensor_dataset(request.data, arrays);
    const auto values =
        evaluate(experiment.task, experiment.network, data, RandomKey(0), batch_size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      metrics[std::string(experiment.task.metrics[i].metric.name)] = values[i];
    }
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
