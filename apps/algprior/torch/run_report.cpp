#include "run_report.hpp"

#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"

#include <fmt/format.h>

namespace algprior {
namespace {

std::string metric_text(const Result& result, const std::string& name) {
  const auto metric = result.metrics.find(name);
  return metric == result.metrics.end() ? "–" : fmt::format("{:.3f}", metric->second);
}

}  // namespace

RunReport::RunReport(Terminal& terminal, std::string name, std::int64_t epochs)
    : name_(std::move(name)),
      epochs_(epochs),
      bar_(std::make_shared<ProgressBar>(terminal, name_, "epochs")) {
  bar_->update(0, static_cast<std::uint64_t>(epochs));
}

MetricSink RunReport::sink() {
  return [bar = bar_, epochs = epochs_](const MetricRecord& record) {
    if (record.split != "validation") return;
    bar->update(static_cast<std::uint64_t>(record.epoch), static_cast<std::uint64_t>(epochs));
  };
}

Result run_with_report(const config::Config& config, RunOptions options, Terminal& terminal) {
  RunReport report(terminal, run_name(config), config.get<std::int64_t>("train.epochs"));
  options.sink = report.sink();
  return run_experiment(config, options);
}

std::string results_text(const std::vector<Result>& results) {
  Table table({{"experiment"},
               {"row"},
               {"seed", Align::kRight},
               {"augmented test", Align::kRight},
               {"test", Align::kRight},
               {"eq. error", Align::kRight},
               {"to regular", Align::kRight},
               {"parameters", Align::kRight},
               {"epochs", Align::kRight},
               {"time", Align::kRight}});
  for (const Result& result : results) {
    table.add_row({result.experiment, result.row, std::to_string(result.seed),
                   metric_text(result, "augmented_test_accuracy"),
                   metric_text(result, "test_accuracy"), metric_text(result, "equivariance_error"),
                   metric_text(result, "equivariance_error_regular"),
                   std::to_string(result.parameters), std::to_string(result.epochs),
                   format_duration(result.seconds)});
  }
  return table.to_text();
}

}  // namespace algprior
