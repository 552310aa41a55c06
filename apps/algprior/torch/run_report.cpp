#include "run_report.hpp"

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

// The columns of a kind of result; the first layout whose first metric a result has is its own.
struct Layout {
  std::vector<std::pair<std::string_view, std::string_view>> columns;  // title, metric
};

const std::vector<Layout> kLayouts = {
    {{{"seeds", "seeds"}, {"not converged", "unconverged"}, {"algebra", "median_algebra_loss"}}},
    {{{"converged", "converged"},
      {"algebra", "algebra_loss"},
      {"equivariance", "equivariance_loss"},
      {"orbits", "independent_orbits"},
      {"to nearest", "nearest_distance"}}},
    {{{"local probe", "local_probe_accuracy"},
      {"global probe", "global_probe_accuracy"},
      {"invariance", "invariance_loss"},
      {"test", "augmented_test_accuracy"}}},
    {{{"augmented test", "augmented_test_accuracy"},
      {"test", "test_accuracy"},
      {"eq. error", "equivariance_error"},
      {"to regular", "equivariance_error_regular"}}},
};

const Layout& layout_of(const Result& result) {
  const auto fits = std::find_if(kLayouts.begin(), kLayouts.end(), [&](const Layout& layout) {
    return result.metrics.count(std::string(layout.columns.front().second)) > 0;
  });
  return fits == kLayouts.end() ? kLayouts.back() : *fits;
}

}  // namespace

Result run_with_report(const config::Config& config, RunOptions options, Terminal& terminal) {
  ProgressBar bar(terminal, run_name(config), "steps");
  options.progress = [&](std::uint64_t done, std::uint64_t total) { bar.show(done, total); };
  options.sink = [&, watch = config.get<std::string>("train.watch")](const MetricRecord& record) {
    const auto value = record.metrics.find(watch);
    if (value == record.metrics.end()) return;
    const auto error = record.metrics.find("equivariance_error");  // does the prior act?
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
  options.folder = runs_folder() / run_name(config);
  options.resume = true;
  options.holder = holder;
  return run_with_report(config, options, terminal);
}

std::string results_text(const std::vector<Result>& results) {
  std::string text;
  for (const Layout& layout : kLayouts) {
    std::vector<Column> columns{{"experiment"}, {"row"}, {"seed", Align::kRight}};
    for (const auto& [title, metric] : layout.columns) {
      columns.push_back({std::string(title), Align::kRight});
    }
    for (const char* title : {"parameters", "epochs", "time"}) {
      columns.push_back({title, Align::kRight});
    }
    Table table(columns);
    for (const Result& result : results) {
      if (&layout_of(result) != &layout) continue;
      std::vector<std::string> cells{result.experiment, result.row, std::to_string(result.seed)};
      for (const auto& [title, metric] : layout.columns) {
        cells.push_back(metric_text(result, std::string(metric)));
      }
      cells.insert(cells.end(), {std::to_string(result.parameters), std::to_string(result.epochs),
                                 format_duration(result.seconds)});
      table.add_row(cells);
    }
    if (table.row_count() > 0) text += table.to_text();
  }
  return text;
}

}  // namespace algprior
