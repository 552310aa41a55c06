#include "algprior/paper/result_table.hpp"

#include "algprior/base/metric.hpp"
#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

std::string value_text(const Result& result, const std::string& name) {
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

std::string to_text(const std::vector<Result>& results) {
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
      for (const std::string& name : layout) cells.push_back(value_text(result, name));
      cells.insert(cells.end(), {std::to_string(result.parameters), std::to_string(result.epochs),
                                 format_duration(result.seconds)});
      table.add_row(cells);
    }
    text += table.to_text();
  }
  return text;
}

}  // namespace algprior
