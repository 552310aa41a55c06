#include "run_report.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/metric.hpp"
#include "algprior/base/paths.hpp"
#include "progress_bar.hpp"

#include <fmt/format.h>

namespace algprior {
namespace {

// What a person types to go on, where there is something to go on from.
void tell_how_to_go_on(const Error& error, const std::filesystem::path& folder,
                       const std::string& line, Terminal& terminal) {
  const auto has = [&](const char* name) {
    std::error_code ignored;
    return std::filesystem::exists(folder / name, ignored);
  };
  const bool stopped = dynamic_cast<const Interrupted*>(&error) != nullptr;
  const bool trained = has("model.safetensors");
  if (has("result.json") || !has("checkpoint.apc") || (!stopped && !trained)) return;
  terminal.note(fmt::format("{}; to go on: {}",
                            trained ? "the training is done and kept" : "the run is kept", line));
}

}  // namespace

Result run_with_report(const config::Config& config, RunOptions options, const std::string& go_on,
                       Terminal& terminal) {
  ProgressBar bar(terminal, to_string(run_id(config)), "steps");
  options.progress = [&](std::uint64_t done, std::uint64_t total) { bar.show(done, total); };
  const std::string watch =
      config.has("train.watch") ? config.get<std::string>("train.watch") : std::string();
  options.sink = [&](const MetricRecord& record) {
    const auto value = record.metrics.find(watch);
    if (value == record.metrics.end()) return;
    // Does the prior act?
    const auto error = record.metrics.find(std::string(metrics::kEquivarianceError.name));
    bar.set_remark(fmt::format(
        "{} {:.4g}{}", watch, value->second,
        error == record.metrics.end() ? "" : fmt::format(", eq. error {:.3g}", error->second)));
  };
  const bool finished = std::filesystem::exists(options.folder / "result.json");
  bool worked = false;
  const auto show = options.progress;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    worked = true;
    show(done, total);
  };
  const Result result = [&] {
    try {
      return run_experiment(config, options);
    } catch (const Error& error) {
      tell_how_to_go_on(error, options.folder, go_on, terminal);
      throw;
    }
  }();
  if (finished && !worked) {
    terminal.note(fmt::format("{} is finished and not run again; delete the folder to train anew",
                              options.folder.string()));
  }
  return result;
}

Result run_or_resume(const config::Config& config, const std::string& holder, Terminal& terminal) {
  RunOptions options;
  options.folder = runs_folder() / to_string(run_id(config));
  options.resume = true;
  options.holder = holder;
  return run_with_report(config, options, "the same command", terminal);
}

}  // namespace algprior
