#include "trainer_state.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/base/text.hpp"
#include "algprior/kernel/kernels.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

constexpr const char* kModel = "model/";
constexpr const char* kBest = "best/";
constexpr const char* kOptimizer = "optimizer/";
constexpr const char* kGenerator = "generator";

using Tensors = std::map<std::string, at::Tensor>;

void put(Tensors& all, const std::string& prefix, const Tensors& part) {
  for (const auto& [name, tensor] : part) all[prefix + name] = tensor;
}

Tensors take(const Tensors& all, const std::string& prefix) {
  Tensors part;
  for (auto item = all.lower_bound(prefix); item != all.end() && item->first.starts_with(prefix);
       ++item) {
    part[item->first.substr(prefix.size())] = item->second;
  }
  return part;
}

}  // namespace

std::string to_json(const Progress& progress, const EarlyStopping& stopping) {
  nlohmann::json json;
  json["epoch"] = progress.epoch;
  json["step_in_epoch"] = progress.step_in_epoch;
  json["steps"] = progress.steps;
  json["sums"] = progress.sums;
  json["counts"] = progress.counts;
  if (progress.balance != 1.0) json["balance"] = progress.balance;
  json["finished"] = progress.finished;
  json["stopped_early"] = progress.stopped_early;
  json["seconds"] = progress.seconds;
  json["metrics_length"] = progress.metrics_length;
  json["best"] = stopping.best ? nlohmann::json(*stopping.best) : nlohmann::json(nullptr);
  if (stopping.best_tie) json["best_tie"] = *stopping.best_tie;
  json["best_epoch"] = stopping.best_epoch;
  json["stale"] = stopping.stale;
  if (!stopping.recent.empty()) json["recent"] = stopping.recent;
  return json.dump();
}

void from_json(const std::string& text, Progress& progress, EarlyStopping& stopping) {
  try {
    const auto json = nlohmann::json::parse(text);
    json.at("epoch").get_to(progress.epoch);
    json.at("step_in_epoch").get_to(progress.step_in_epoch);
    json.at("steps").get_to(progress.steps);
    json.at("sums").get_to(progress.sums);
    if (json.contains("counts")) {
      json.at("counts").get_to(progress.counts);
    } else {  // up to version 0.1 every step had every term
      for (const auto& [name, sum] : progress.sums) progress.counts[name] = json.at("samples");
    }
    progress.balance = json.value("balance", 1.0);
    json.at("finished").get_to(progress.finished);
    json.at("stopped_early").get_to(progress.stopped_early);
    json.at("seconds").get_to(progress.seconds);
    json.at("metrics_length").get_to(progress.metrics_length);
    if (!json.at("best").is_null()) stopping.best = json.at("best").get<double>();
    if (json.contains("best_tie")) stopping.best_tie = json.at("best_tie").get<double>();
    json.at("best_epoch").get_to(stopping.best_epoch);
    json.at("stale").get_to(stopping.stale);
    if (json.contains("recent")) json.at("recent").get_to(stopping.recent);
    stopping.epochs = progress.epoch;
  } catch (const nlohmann::json::exception& error) {
    throw InputError({"the progress in a checkpoint cannot be read", error.what(),
                      "what this program writes", "start the run again"});
  }
}

std::string numeric_setting(bool synchronised) {
  std::string setting =
      fmt::format("threads = {}\nkernel threads = {}\nkernels = {}\ninstructions = {}\n",
                  at::get_num_threads(), thread_count(), to_string(kernels()), kernel_target());
  if (!world().alone()) {
    setting += fmt::format("ranks = {}\nbatch norm = {}\n", world().size(),
                           synchronised ? "synchronised" : "local");
  }
  return setting;
}

at::Tensor generator_state() {
  auto generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

void set_generator_state(const at::Tensor& state) {
  auto generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(generator.mutex());
  generator.set_state(state);
}

void Trainer::State::save() {
  if (options.folder.empty() && !shared) return;
  check_weights();
  if (options.folder.empty()) return;
  progress.seconds = elapsed();
  progress.metrics_length = metrics->synced_length();
  Checkpoint checkpoint;
  put(checkpoint.tensors, kModel, weights_of(*network.module));
  put(checkpoint.tensors, kBest, best);
  put(checkpoint.tensors, kOptimizer, optimizer.state());
  checkpoint.tensors[kGenerator] = generator_state();
  checkpoint.texts["progress"] = to_json(progress, stopping);
  checkpoint.texts["config"] = options.config;
  checkpoint.texts["setting"] = numeric_setting(options.synchronised);
  write_checkpoint(checkpoint_path(), checkpoint);
}

void Trainer::State::load(const Checkpoint& checkpoint) {
  const auto text = [&](const char* name) {
    const auto found = checkpoint.texts.find(name);
    return found == checkpoint.texts.end() ? std::string() : found->second;
  };
  extended = text("config") != options.config && !options.config_before.empty() &&
             text("config") == options.config_before;
  if (text("config") != options.config && !extended) {
    throw InputError({"the configuration changed since the checkpoint",
                      list_differences(text("config"), options.config),
                      "the configuration that the run began with",
                      "undo the change, or start a run in another folder"});
  }
  Progress loaded;
  EarlyStopping watched = stopping;
  from_json(text("progress"), loaded, watched);
  const std::string setting = numeric_setting(options.synchronised);
  // A training that is done has no more digits to change.
  if (text("setting") != setting && !options.allow_other_setting && !loaded.finished) {
    throw InputError({"the machine's setting changed since the checkpoint",
                      list_differences(text("setting"), setting),
                      "the same setting, because it decides the last digits of every sum",
                      "restore it (threads, kernels, ranks), allow another setting "
                      "(--other-setting), which gives "
                      "up equal bits, or start a run in another folder"});
  }
  const auto generator = checkpoint.tensors.find(kGenerator);
  if (generator == checkpoint.tensors.end()) {
    throw InputError({"a checkpoint is incomplete", checkpoint_path().string(), "a generator state",
                      "start the run again"});
  }
  set_weights(*network.module, take(checkpoint.tensors, kModel));
  optimizer.set_state(take(checkpoint.tensors, kOptimizer));
  set_generator_state(generator->second);
  best = take(checkpoint.tensors, kBest);
  progress = loaded;
  stopping = watched;
  if (metrics) metrics->cut(progress.metrics_length);
  if (!extended) return;
  progress.stopped_early = validate && stopping.should_stop();
  progress.finished = progress.stopped_early || progress.epoch >= options.epochs;
}

}  // namespace algprior
