#include "algprior/paper/statistics.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace algprior::report {
namespace {

struct ProbeCurve {
  const char* metric;
  const char* label;
};
constexpr ProbeCurve kAccuracies[] = {{"local_probe_accuracy", "local probe (one orbit)"},
                                      {"global_probe_accuracy", "global probe (all orbits)"}};
constexpr ProbeCurve kInvariance = {"invariance_loss", "invariance loss"};

const Curve* probe_curve(const Run& run, const std::string& metric) {
  const auto entry = run.metrics.curves().find("validation/" + metric);
  return entry == run.metrics.curves().end() ? nullptr : &entry->second;
}

std::vector<std::pair<std::string, std::string>> offer_probes(const RunSet& set) {
  for (const Run& run : set.runs) {
    if (probe_curve(run, kAccuracies[1].metric) != nullptr) {
      return {{std::string(kProbeFigure.name), std::string(kProbeFigure.title)}};
    }
  }
  return {};
}

// Mean, band and single seeds over all runs that have the metric, and a column of numbers.
ChartSeries probe_series(const RunSet& set, const ProbeCurve& probe, std::size_t style,
                         std::map<std::int64_t, std::vector<std::string>>& numbers,
                         std::size_t column) {
  ChartSeries series;
  series.name = probe.label;
  series.style = style;
  std::map<std::int64_t, std::vector<double>> values;
  for (const Run& run : set.runs) {
    const Curve* curve = probe_curve(run, probe.metric);
    if (curve == nullptr) continue;
    std::vector<Point> strand;
    for (std::size_t i = 0; i < curve->values.size(); ++i) {
      strand.push_back({static_cast<double>(curve->epochs[i]), curve->values[i]});
      if (std::isfinite(curve->values[i])) values[curve->epochs[i]].push_back(curve->values[i]);
    }
    series.strands.push_back(thin(strand, 120));
  }
  for (const auto& [epoch, here] : values) {
    const Summary summary = summarize(here);
    const auto x = static_cast<double>(epoch);
    const double spread = summary.count > 1 ? summary.deviation : NAN;
    series.line.push_back({x, summary.mean});
    series.low.push_back({x, summary.mean - spread});
    series.high.push_back({x, summary.mean + spread});
    auto& row = numbers[epoch];
    row.resize(std::max<std::size_t>(row.size(), 4), "–");
    row[0] = std::to_string(epoch);
    row[column] = number_text(summary.mean);
  }
  if (series.strands.size() == 1) series.strands.clear();
  return series;
}

Figure make_probes(std::string_view, const RunSet& set) {
  std::map<std::int64_t, std::vector<std::string>> numbers;
  Chart above, below;
  above.title = "Linear probes for the group element";
  above.y_label = "accuracy";
  above.logarithmic_y = false;
  above.y_range = {0.0, 1.03};
  below.title = "Invariance loss";
  below.x_label = "epoch";
  below.y_label = "mean square";
  std::vector<LegendEntry> legend;
  std::size_t column = 1;
  for (const ProbeCurve& probe : kAccuracies) {
    above.series.push_back(probe_series(set, probe, column - 1, numbers, column));
    legend.push_back({probe.label, column - 1});
    ++column;
  }
  below.series.push_back(probe_series(set, kInvariance, 2, numbers, column));
  legend.push_back({kInvariance.label, 2});
  Figure figure;
  figure.title = "Probe accuracy and invariance loss";
  figure.description =
      "How well a linear probe tells from a latent vector which group element moved the input, on "
      "one "
      "orbit (local) and over all orbits (global), above the invariance loss, epoch by epoch. "
      "Bands: "
      "sample standard deviation over runs.";
  figure.numbers.columns = {"epoch", kAccuracies[0].label, kAccuracies[1].label, kInvariance.label};
  for (const auto& [epoch, row] : numbers) figure.numbers.rows.push_back(row);
  Svg svg;
  draw_chart(svg, {8, 6, kFigureWidth - 16, 230}, above);
  draw_chart(svg, {8, 244, kFigureWidth - 16, 200}, below);
  const double height = legend_height(legend, kFigureWidth - 24);
  draw_legend(svg, {12, 450, kFigureWidth - 24, height}, legend);
  return finish(std::move(figure), svg, kFigureWidth, 454 + height);
}

}  // namespace

const FigureKind kProbeFigure = {"probes", "Probe accuracy and invariance loss",
                                 "runs with train.probes = true", offer_probes, make_probes};

}  // namespace algprior::report
