#include "algprior/experiment/predictor.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/paper/result.hpp"
#include "run_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/nn/module.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;
using NetworkJson = nlohmann::ordered_json;

constexpr const char* kNetworkFile = "network.json";

struct NetworkFile {
  std::string kind, task;
  nn::Shapes shapes;
};

NetworkFile read_network_file(const fs::path& path) try {
  const auto json = NetworkJson::parse(read_file(path, std::uint64_t{1} << 20));
  NetworkFile file{json.at("network"),
                   json.at("task"),
                   {json.at("sample"), json.at("outputs"), json.at("group")}};
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  for (const std::int64_t extent : file.shapes.sample) {
    if (extent < 1 || extent > kLargest) throw std::out_of_range("a sample of no size");
  }
  if (file.shapes.outputs < 0 || file.shapes.outputs > kLargest) {
    throw std::out_of_range("no such number of outputs");
  }
  return file;
} catch (const Error&) {
  throw;
} catch (const std::exception& error) {
  throw FileError({"the shapes of a run's network cannot be read", path.string(), error.what(),
                   "remove the file; the run's own data tells them too"});
}

// Beside a learned representation the network's weights stand under a name of their own.
NamedTensors network_weights(const fs::path& path, bool learned) {
  const std::string prefix = learned ? "network." : "";
  NamedTensors weights;
  for (const auto& [name, array] : io::read_safetensors(path).tensors) {
    if (name.starts_with(prefix)) weights.emplace(name.substr(prefix.size()), to_tensor(array));
  }
  return weights;
}

std::int64_t batch_size_of(const config::Config& config) {
  constexpr std::int64_t kUsual = 256;
  return config.has("train.batch_size") ? config.get<std::int64_t>("train.batch_size") : kUsual;
}

}  // namespace

void write_network_file(const fs::path& folder, const config::Config& config,
                        const Experiment& experiment) {
  if (!experiment.shapes || !config.has("network.kind")) return;
  const NetworkJson json = {{"network", config.get<std::string>("network.kind")},
                            {"sample", experiment.shapes->sample},
                            {"outputs", experiment.shapes->outputs},
                            {"group", experiment.shapes->group},
                            {"task", experiment.task.name}};
  write_file(folder / kNetworkFile, json.dump() + "\n");
}

Predictor load_predictor(const fs::path& folder, c10::Device device,
                         const std::vector<Recipe>& recipes) {
  if (!fs::exists(folder / kNetworkFile)) {
    const Experiment experiment = load_experiment(folder, device, recipes);
    return {experiment.network, experiment.task.name == classify().name,
            experiment.training->options.batch_size};
  }
  const config::Config config = read_run_config(folder, recipes);
  check_weights_file(folder);
  if (fs::exists(folder / kResultFile)) {
    check_file(read_result(folder / kResultFile), folder, kNetworkFile);
  }
  const NetworkFile file = read_network_file(folder / kNetworkFile);
  config::Fields fields;
  const auto make = nn::network_kind(file.kind).begin(fields);
  fields.assign(config);
  const Network network = make(run_id(config).seed, file.shapes);
  const bool learned = config.has("prior.representation") &&
                       config.get<std::string>("prior.representation") == "learned";
  set_weights(*network.module, network_weights(folder / kWeightsFile, learned));
  network.module->to(device);
  return {network, file.task == classify().name, batch_size_of(config)};
}

}  // namespace algprior
