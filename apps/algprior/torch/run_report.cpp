#include "run_report.hpp"

#include "algprior/base/file.hpp"
#include "algprior/base/metric.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/report/page.hpp"
#include "progress_bar.hpp"

#include <fmt/format.h>

namespace algprior {
Result run_with_report(const config::Config& config, RunOptions options, Terminal& terminal) {
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
  const Result result = run_experiment(config, options);
  if (finished) {
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
  return run_with_report(config, options, terminal);
}

std::string write_run_page(const std::vector<config::Config>& configs, const std::string& name,
                           Terminal& terminal) {
  std::vector<std::filesystem::path> folders;
  for (const config::Config& config : configs) {
    folders.push_back(runs_folder() / to_string(run_id(config)));
  }
  const std::filesystem::path path = runs_folder() / (name + ".html");
  try {
    write_file(path, report::to_html(report::make_page(report::find_runs(folders), name)));
    return path.string();
  } catch (const Error& error) {
    terminal.note(fmt::format("no page was written: {}", error.what()));
    return "";
  }
}

}  // namespace algprior
