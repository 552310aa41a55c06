#include "algprior/report/audit_section.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::report {
namespace {

// More would be a wall of bars; the numbers have all of them.
constexpr std::size_t kMostIrreps = 32;
constexpr std::size_t kShownElements = 128;

std::string interval_text(const Estimate& one) {
  return fmt::format("{} to {}", number_text(one.low, 3), number_text(one.high, 3));
}

Figure error_figure(const AuditReport& audit) {
  Figure figure;
  figure.name = "audit/errors";
  figure.title = "Errors, 95 % intervals";
  figure.description =
      "How far z(gx) is from ρ(g)z(x), for each representation ρ that applies: 0 is exact, 1 is "
      "chance, lower is better. Whiskers: half the width of the 95 % bootstrap interval over "
      "samples. Fitted: on half of the samples, scored on the other; shuffled: the control.";
  figure.numbers.columns = {"representation", "error", "95 % interval"};
  BarChart chart;
  chart.title = "Errors under " + audit.group;
  chart.label = "error (0 exact, 1 chance)";
  chart.series = {"error"};
  const auto add = [&](const char* name, const std::optional<Estimate>& one) {
    if (!one || !std::isfinite(one->value)) {
      figure.numbers.rows.push_back({name, "–", "does not apply"});
      return;
    }
    chart.categories.emplace_back(name);
    chart.values.push_back({BarValue{one->value, 0.5 * (one->high - one->low), {}}});
    figure.numbers.rows.push_back({name, number_text(one->value, 3), interval_text(*one)});
  };
  add("invariance", audit.errors.invariance);
  add("regular", audit.errors.regular);
  add("defining", audit.errors.defining);
  add("given", audit.errors.given);
  add("fitted", audit.errors.fitted);
  add("shuffled", audit.errors.shuffled);
  Svg svg;
  const double height = rows_height(chart);
  draw_rows(svg, {8, 6, kFigureWidth - 16, height}, chart);
  return finish(std::move(figure), svg, kFigureWidth, height + 12);
}

Figure bars_figure(Figure figure, const BarChart& chart) {
  Svg svg;
  std::vector<LegendEntry> legend;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    legend.push_back({chart.series[s], s, LegendEntry::Kind::kArea});
  }
  const double below = legend_height(legend, kFigureWidth - 24);
  draw_bars(svg, {8, 6, kFigureWidth - 16, 250}, chart);
  draw_legend(svg, {12, 264, kFigureWidth - 24, below}, legend);
  return finish(std::move(figure), svg, kFigureWidth, 268 + below);
}

Figure audit_multiplicity_figure(const AuditReport& audit) {
  Figure figure;
  figure.name = "audit/multiplicities";
  figure.title = "Multiplicities in the fitted representation";
  figure.description = fmt::format(
      "How often each irreducible character of {} occurs in the representation fitted to z, beside "
      "as many copies of the regular representation as have its {} dimensions. Whiskers: half the "
      "width of the 95 % interval.",
      audit.group, audit.fitted.rank);
  figure.numbers.columns = {"character", "degree", "fitted", "95 % interval", "exact", "regular"};
  BarChart chart;
  chart.title = "Multiplicities under " + audit.group;
  chart.label = "multiplicity";
  chart.series = {"fitted", "regular representation"};
  for (const FittedMultiplicity& one : audit.fitted.multiplicities) {
    const std::string name = fmt::format("χ{}", one.irrep + 1);
    const double regular =
        one.degree * static_cast<double>(audit.fitted.rank) / static_cast<double>(audit.order);
    figure.numbers.rows.push_back({name, std::to_string(one.degree),
                                   number_text(one.value.value, 3), interval_text(one.value),
                                   one.exact ? std::to_string(*one.exact) : "–",
                                   number_text(regular, 3)});
    if (chart.categories.size() == kMostIrreps || !std::isfinite(one.value.value)) continue;
    chart.categories.push_back(name);
    chart.values.push_back({BarValue{one.value.value, 0.5 * (one.value.high - one.value.low), {}},
                            BarValue{regular, std::nullopt, {}}});
  }
  return bars_figure(std::move(figure), chart);
}

Figure audit_irrep_figure(const AuditReport& audit) {
  Figure figure;
  figure.name = "audit/irreps";
  figure.title = "Error by irreducible part";
  figure.description = fmt::format(
      "The part of z in which each irreducible character of {} acts ({} representation): how much "
      "of z it is, and the error there.",
      audit.group, audit.audited);
  figure.numbers.columns = {"character", "degree", "share of z", "error"};
  BarChart chart;
  chart.title = "By irreducible part";
  chart.label = "error, share";
  chart.series = {"error", "share of z"};
  for (const IrrepError& one : audit.per_irrep) {
    const std::string name = fmt::format("χ{}", one.irrep + 1);
    figure.numbers.rows.push_back({name, std::to_string(one.degree), number_text(one.share, 3),
                                   one.error ? number_text(*one.error, 3) : "–"});
    if (chart.categories.size() == kMostIrreps || !std::isfinite(one.share)) continue;
    chart.categories.push_back(name);
    std::optional<BarValue> error;
    if (one.error && std::isfinite(*one.error)) error = BarValue{*one.error, std::nullopt, {}};
    chart.values.push_back({error, BarValue{one.share, std::nullopt, {}}});
  }
  return bars_figure(std::move(figure), chart);
}

Figure audit_element_figure(const AuditReport& audit) {
  Figure figure;
  figure.name = "audit/elements";
  figure.title = "Error by group element";
  figure.description = fmt::format(
      "Error to the {} representation for each element of {}{}.", audit.audited, audit.group,
      audit.floor ? "; below it the floor, how far g⁻¹(g·x) is from x on the inputs" : "");
  figure.numbers.columns = {"element", "error"};
  HeatMap map;
  map.title = "Error by element of " + audit.group;
  map.rows = {"error"};
  map.values.resize(1);
  map.scale_label = "error";
  const bool floor = audit.floor && audit.floor->per_element.size() == audit.per_element.size();
  if (floor) {
    map.rows.emplace_back("floor");
    map.values.emplace_back();
    figure.numbers.columns.emplace_back("floor");
  }
  double largest = 0;
  for (std::size_t i = 0; i < audit.per_element.size(); ++i) {
    const ElementError& one = audit.per_element[i];
    std::vector<std::string> row{one.word, number_text(one.error, 3)};
    if (floor) row.push_back(number_text(audit.floor->per_element[i].error, 3));
    figure.numbers.rows.push_back(std::move(row));
    if (i >= kShownElements) continue;
    map.columns.push_back(one.word);
    map.values[0].push_back(one.error);
    if (floor) map.values[1].push_back(audit.floor->per_element[i].error);
    for (const auto& values : map.values) {
      if (std::isfinite(values.back())) largest = std::max(largest, values.back());
    }
  }
  map.high = largest > 0 ? largest : 1;
  Svg svg;
  const double height = heat_map_height(map, kFigureWidth - 16);
  draw_heat_map(svg, {8, 6, kFigureWidth - 16, height}, map);
  return finish(std::move(figure), svg, kFigureWidth, height + 10);
}

Figure spectrum_figure(const AuditReport& audit) {
  Figure figure;
  figure.name = "audit/spectrum";
  figure.title = "Spectrum of embedded orbits";
  figure.description =
      "Singular values of the orbits {E(gx)}, relative to the largest, medians over samples: where "
      "they end, the orbit's rank ends.";
  figure.numbers.columns = {"number", "σ/σ₁"};
  Chart chart;
  chart.title = "Spectrum of embedded orbits";
  chart.x_label = "number";
  chart.y_label = "σ/σ₁";
  ChartSeries series;
  series.name = "median";
  for (std::size_t i = 0; i < audit.spectrum.size(); ++i) {
    const double value = audit.spectrum[i];
    const auto x = static_cast<double>(i + 1);
    figure.numbers.rows.push_back({std::to_string(i + 1), number_text(value, 3)});
    if (std::isfinite(value)) series.marks.push_back({x, value});
  }
  series.line = series.marks;
  const double last = static_cast<double>(audit.spectrum.size());
  chart.x_range = {0.5, last + 0.5};
  chart.series.push_back(std::move(series));
  figure.cursor = true;
  return chart_figure(std::move(figure), chart, {}, 240);
}

}  // namespace

std::vector<Figure> audit_figures(const AuditReport& audit) {
  std::vector<Figure> figures;
  if (audit.errors.invariance || audit.errors.fitted) figures.push_back(error_figure(audit));
  if (!audit.fitted.multiplicities.empty() && audit.order > 0) {
    figures.push_back(audit_multiplicity_figure(audit));
  }
  if (!audit.per_element.empty()) figures.push_back(audit_element_figure(audit));
  if (!audit.per_irrep.empty()) figures.push_back(audit_irrep_figure(audit));
  if (audit.spectrum.size() > 1) figures.push_back(spectrum_figure(audit));
  return figures;
}

}  // namespace algprior::report
