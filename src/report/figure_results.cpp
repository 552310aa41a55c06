#include "algprior/base/error.hpp"
#include "algprior/base/metric.hpp"
#include "algprior/paper/paper_table.hpp"
#include "algprior/paper/statistics.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace algprior::report {
namespace {

using Offers = std::vector<std::pair<std::string, std::string>>;

std::vector<Result> results_of(const RunSet& set) {
  std::vector<Result> results;
  for (const Run& run : set.runs) {
    if (run.result && run.state == RunState::kFinished) results.push_back(*run.result);
  }
  return results;
}

// The published tables to which these runs may belong: that of the family, and that of the variant.
std::vector<std::string> tables_for(const RunSet& set) {
  std::set<std::string> names;
  for (const Run& run : set.runs) {
    names.insert(run.experiment.substr(0, run.experiment.find('-')));
    names.insert(run.experiment);
  }
  const auto results = results_of(set);
  std::vector<std::string> filled;
  for (const std::string& name : names) {
    try {
      const PaperTable table = make_paper_table(name, results);
      const bool ours = std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
        return std::any_of(row.cells.begin(), row.cells.end(),
                           [](const PaperCell& cell) { return cell.ours.has_value(); });
      });
      if (ours) filled.push_back(name);
    } catch (const InputError&) {  // no such table
    }
  }
  return filled;
}

Offers offer_tables(const RunSet& set) {
  Offers offers;
  for (const std::string& name : tables_for(set)) {
    offers.emplace_back("table/" + name, "Results beside the paper's: " + name);
  }
  return offers;
}

Figure make_table(std::string_view name, const RunSet& set) {
  const std::string table_name(name.substr(name.find('/') + 1));
  const PaperTable table = make_paper_table(table_name, results_of(set));
  Figure figure;
  figure.title = "Results beside the paper's: " + table_name;
  figure.description = fmt::format(
      "{}: means of our runs and of the paper, whiskers: sample standard deviation. The axis does "
      "not "
      "begin at zero.{}{}",
      table.metric, table.note.empty() ? "" : " ", table.note);
  figure.numbers.columns = {"model", "variant", "paper", "ours", "runs", "effect"};
  Svg svg;
  double y = 6;
  for (std::size_t v = 0; v < table.variants.size(); ++v) {
    BarChart chart;
    chart.title = table_name + " " + table.variants[v];
    chart.label = table.metric;
    chart.series = {"ours", "paper"};
    bool ours = false;
    for (const PaperTableRow& row : table.rows) {
      const PaperCell& cell = row.cells[v];
      if (!cell.ours && !cell.published) continue;
      ours = ours || cell.ours;
      chart.categories.push_back(row.title);
      const auto bar = [](const std::optional<Summary>& s) -> std::optional<BarValue> {
        if (!s) return std::nullopt;
        return BarValue{s->mean, s->count > 1 ? std::optional(s->deviation) : std::nullopt, {}};
      };
      chart.values.push_back({bar(cell.ours), bar(cell.published)});
      const auto text = [](const std::optional<Summary>& s) {
        return !s             ? "–"
               : s->count > 1 ? fmt::format("{:.3f} ± {:.3f}", s->mean, s->deviation)
                              : fmt::format("{:.3f}", s->mean);
      };
      figure.numbers.rows.push_back(
          {row.title, table.variants[v], text(cell.published), text(cell.ours),
           cell.ours ? std::to_string(cell.ours->count) : "0",
           cell.effect ? fmt::format("{:.1f}{}", *cell.effect, effect_stars(*cell.effect)) : ""});
    }
    if (!ours) continue;
    draw_rows(svg, {8, y, kFigureWidth - 16, rows_height(chart)}, chart);
    y += rows_height(chart) + 12;
  }
  figure.numbers.note =
      "Effect: Cohen's d of the method against the row, our runs; * medium, ** large, *** very "
      "large.";
  const std::vector<LegendEntry> legend = {{"ours", 0, LegendEntry::Kind::kMark},
                                           {"paper", 1, LegendEntry::Kind::kMark}};
  draw_legend(svg, {12, y, kFigureWidth - 24, 20}, legend);
  return finish(std::move(figure), svg, kFigureWidth, y + 26);
}

// λ of a run: its row's name, a change of its row, or its setting.
std::optional<double> lambda_of(const Run& run) {
  const auto number_after = [&](std::string_view word) -> std::optional<double> {
    const std::size_t at = run.row.find(word);
    if (at == std::string::npos) return std::nullopt;
    double value = 0;
    const char* begin = run.row.data() + at + word.size();
    const auto [end, code] = std::from_chars(begin, run.row.data() + run.row.size(), value);
    return code == std::errc() ? std::optional(value) : std::nullopt;
  };
  for (const std::string_view word : {"lambda-", "lambda=", "prior.weight="}) {
    if (const auto value = number_after(word)) return value;
  }
  const std::string text = run.setting("prior.weight");
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && !text.empty() ? std::optional(value) : std::nullopt;
}

std::string headline_metric_of(const RunSet& set) {
  std::vector<const Run*> runs;
  for (const Run& run : set.runs) runs.push_back(&run);
  return headline_metric(runs);
}

// Rows that differ in λ alone are one sweep: the row's name without it.
std::string without_lambda(const std::string& row) {
  if (row.starts_with("lambda-")) return "";
  std::string kept;
  for (std::size_t i = 0; i < row.size();) {
    const std::size_t end = std::min(row.find_first_of("@,", i + 1), row.size());
    const std::string part = row.substr(i, end - i);
    if (part.find("lambda=") == std::string::npos &&
        part.find("prior.weight=") == std::string::npos) {
      kept += part;
    }
    i = end;
  }
  return kept;
}

using Sweeps = std::map<std::string, std::map<double, std::vector<double>>>;

Sweeps sweeps_in(const RunSet& set) {
  const std::string metric = headline_metric_of(set);
  Sweeps sweeps;
  for (const Run& run : set.runs) {
    const auto value = run.metric(metric);
    const auto lambda = lambda_of(run);
    if (!value || !lambda || !std::isfinite(*value)) continue;
    const std::string rest = without_lambda(run.row);
    sweeps[run.experiment + (rest.empty() ? "" : "/" + rest)][*lambda].push_back(*value);
  }
  std::erase_if(sweeps, [](const auto& sweep) { return sweep.second.size() < 2; });
  return sweeps;
}

Offers offer_lambda(const RunSet& set) {
  if (sweeps_in(set).empty()) return {};
  return {{std::string(kLambdaFigure.name), std::string(kLambdaFigure.title)}};
}

Figure make_lambda(std::string_view, const RunSet& set) {
  Figure figure;
  Chart chart;
  chart.title = "Sensitivity to λ";
  chart.x_label = "λ, the weight of the prior";
  chart.y_label = headline_metric_of(set);
  chart.logarithmic_y = false;
  figure.numbers.columns = {"λ", "sweep", chart.y_label, "standard deviation", "runs"};
  std::vector<LegendEntry> legend;
  for (const auto& [name, sweep] : sweeps_in(set)) {
    ChartSeries series;
    series.name = name;
    series.style = chart.series.size();
    for (const auto& [lambda, values] : sweep) {
      const Summary summary = summarize(values);
      series.line.push_back({lambda, summary.mean});
      series.marks.push_back({lambda, summary.mean});
      const double spread = summary.count > 1 ? summary.deviation : NAN;
      series.whiskers_low.push_back({lambda, summary.mean - spread});
      series.whiskers_high.push_back({lambda, summary.mean + spread});
      figure.numbers.rows.push_back({number_text(lambda), name, number_text(summary.mean),
                                     summary.count > 1 ? number_text(summary.deviation) : "–",
                                     std::to_string(summary.count)});
    }
    legend.push_back({name, series.style});
    chart.series.push_back(std::move(series));
  }
  // The marks at the ends must not be cut by the frame.
  double low = INFINITY, high = -INFINITY;
  for (const ChartSeries& series : chart.series) {
    for (const Point& p : series.marks) low = std::min(low, p.x), high = std::max(high, p.x);
  }
  chart.x_range = {low - 0.04 * (high - low), high + 0.04 * (high - low)};
  figure.title = "Sensitivity to λ";
  figure.description = fmt::format(
      "{} against the weight λ of the prior; marks: means over seeds, whiskers: sample standard "
      "deviation.",
      chart.y_label);
  return chart_figure(std::move(figure), chart, legend);
}

}  // namespace

std::string headline_metric(const std::vector<const Run*>& runs) {
  using namespace metrics;
  for (const Metric& metric : {kAugmentedTestAccuracy, kTestAccuracy, kAccuracy, kTestError,
                               kFutureRmse, kEquivarianceError}) {
    const std::string name(metric.name);
    for (const Run* run : runs) {
      if (run->metric(name)) return name;
    }
  }
  return "";
}

bool higher_is_better(std::string_view metric) {
  const Metric* known = find_metric(metric);
  return known != nullptr && known->better == Better::higher;
}

const FigureKind kTableFigures = {"table", "Results beside the paper's",
                                  "results of an experiment that has a published table",
                                  offer_tables, make_table};
const FigureKind kLambdaFigure = {"lambda", "Sensitivity to λ",
                                  "results of one experiment under two values of λ or more",
                                  offer_lambda, make_lambda};
}  // namespace algprior::report
