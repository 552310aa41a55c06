#include "run_report.hpp"

#include "algprior/base/metric.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "progress_bar.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

std::string metric_text(const Result& result, const std::string& name) {
  const auto metric = result.metrics.find(name);
  if (metric == result.metrics.end()) return "–";
  const double value = metric->second;
  if (value == std::round(value)) return fmt::format("{:.0f}", value);
  return std::abs(value) < 1e-3 ? fmt::format("{:.1e}", value) : fmt::format("{:.3f}", value);
}

std::string title_of(const std::string& name) {
  const Metric* metric = find_metric(name);
  return metric == nullptr || metric->title.empty() ? name : std::string(metric->title);
}

}  // namespace

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

std::string results_text(const std::vector<Result>& results) {
  std::vector<std::vector<std::string>> layouts;  // runs with the same columns share a table
  for (const Result& result : results) {
    if (std::find(layouts.begin(), layouts.end(), result.columns) == layouts.end()) {
      layouts.push_back(result.columns);
    }
  }
  std::string text;
  for (const auto& layout : layouts) {
    std::vector<Column> columns{{"experiment"}, {"row"}, {"seed", Align::kRight}};
    for (const std::string& name : layout) columns.push_back({title_of(name), Align::kRight});
    for (const char* title : {"parameters", "epochs", "time"}) {
      columns.push_back({title, Align::kRight});
    }
    Table table(columns);
    for (const Result& result : results) {
      if (result.columns != layout) continue;
      std::vector<std::string> cells{result.id.experiment(), result.id.changed_row(),
                                     std::to_string(result.id.seed)};
      for (const std::string& name : layout) cells.push_back(metric_text(result, name));
      cells.insert(cells.end(), {std::to_string(result.parameters), std::to_string(result.epochs),
                                 format_duration(result.seconds)});
      table.add_row(cells);
    }
    text += table.to_text();
  }
  return text;
}

}  // namespace algprior
