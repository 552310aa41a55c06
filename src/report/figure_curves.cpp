#include "algprior/paper/statistics.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace algprior::report {
namespace {

constexpr std::string_view kPrefix = "curve/";
constexpr std::size_t kLinePoints = 100, kStrandPoints = 800, kTableRows = 30, kMostStrands = 200;

// Terms of the loss first, then metrics, each by name; validation before training.
std::vector<std::string> curve_names(const RunSet& set) {
  std::set<std::pair<int, std::string>> names;
  for (const Run& run : set.runs) {
    for (const auto& [name, curve] : run.metrics.curves()) {
      const bool any = std::any_of(curve.values.begin(), curve.values.end(),
                                   [](double value) { return std::isfinite(value); });
      if (!any) continue;
      const int rank = (name.starts_with("validation/") ? 0 : 2) + (curve.term ? 1 : 0);
      names.insert({rank, name});
    }
  }
  std::vector<std::string> result;
  std::set<std::string> seen;
  for (const auto& [rank, name] : names) {
    if (seen.insert(name).second) result.push_back(name);
  }
  return result;
}

const Curve* find_curve(const Run& run, std::string_view name) {
  const auto entry = run.metrics.curves().find(name);
  return entry == run.metrics.curves().end() ? nullptr : &entry->second;
}

// Epochs where they tell all points of all curves apart, else steps.
bool by_epoch(const RunSet& set, std::string_view name) {
  for (const Run& run : set.runs) {
    const Curve* curve = find_curve(run, name);
    if (curve == nullptr) continue;
    for (std::size_t i = 0; i < curve->epochs.size(); ++i) {
      if (curve->epochs[i] <= (i == 0 ? 0 : curve->epochs[i - 1])) return false;
    }
  }
  return true;
}

struct GroupCurve {
  std::string label;
  std::map<std::int64_t, std::vector<double>> values;  // x → one value a run that has it
  ChartSeries series;
};

GroupCurve collect_group(const RunGroup& group, std::string_view name, bool epochs, bool labelled) {
  GroupCurve result;
  result.label = group_label(group, labelled);
  for (const Run* run : group.runs) {
    const Curve* curve = find_curve(*run, name);
    if (curve == nullptr) continue;
    std::vector<Point> strand;
    for (std::size_t i = 0; i < curve->values.size(); ++i) {
      const std::int64_t x = epochs ? curve->epochs[i] : curve->steps[i];
      strand.push_back({static_cast<double>(x), curve->values[i]});
      auto& values = result.values[x];
      if (std::isfinite(curve->values[i])) values.push_back(curve->values[i]);
    }
    result.series.strands.push_back(std::move(strand));
  }
  for (const auto& [x, values] : result.values) {
    const double at = static_cast<double>(x);
    if (values.empty()) {
      for (auto* points : {&result.series.line, &result.series.low, &result.series.high}) {
        points->push_back({at, NAN});
      }
      continue;
    }
    const Summary summary = summarize(values);
    const double spread = summary.count > 1 ? summary.deviation : NAN;
    result.series.line.push_back({at, summary.mean});
    result.series.low.push_back({at, summary.mean - spread});
    result.series.high.push_back({at, summary.mean + spread});
  }
  result.series.name = result.label;
  return result;
}

std::vector<GroupCurve> collect_curves(const RunSet& set, std::string_view name, bool epochs) {
  std::vector<GroupCurve> groups;
  const bool labelled = several_experiments(set);
  for (const RunGroup& group : group_runs(set.runs)) {
    GroupCurve curve = collect_group(group, name, epochs, labelled);
    if (curve.values.empty()) continue;
    curve.series.style = groups.size();
    groups.push_back(std::move(curve));
  }
  return groups;
}

// Every so many of the points and the last one: the edges of a band belong together.
void keep_some(std::vector<Point>& points, std::size_t most) {
  const std::size_t every = std::max<std::size_t>(1, (points.size() + most - 1) / most);
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size(); i += every) kept.push_back(points[i]);
  if (!points.empty() && kept.back().x != points.back().x) kept.push_back(points.back());
  points = std::move(kept);
}

std::size_t strand_count(const std::vector<GroupCurve>& groups) {
  std::size_t strands = 0;
  for (const GroupCurve& group : groups) strands += group.series.strands.size();
  return strands;
}

void thin_out(std::vector<GroupCurve>& groups) {
  const std::size_t strands = std::max<std::size_t>(1, strand_count(groups));
  const std::size_t budget = std::max<std::size_t>(16, kStrandPoints / strands);
  const std::size_t lines = std::clamp<std::size_t>(
      kStrandPoints / std::max<std::size_t>(1, groups.size()), 24, kLinePoints);
  for (GroupCurve& group : groups) {
    ChartSeries& series = group.series;
    // The mean of one run is the run itself, and hundreds of thin lines are a grey field.
    if (series.strands.size() == 1 || strands > kMostStrands) series.strands.clear();
    for (auto& strand : series.strands) strand = thin(strand, budget);
    series.line = thin(series.line, lines);
    const bool band = std::any_of(series.low.begin(), series.low.end(),
                                  [](const Point& p) { return std::isfinite(p.y); });
    keep_some(series.low, lines / 2);
    keep_some(series.high, lines / 2);
    if (!band) series.low.clear(), series.high.clear();
  }
}

NumberTable numbers_of(const std::vector<GroupCurve>& groups, bool epochs) {
  NumberTable table;
  table.columns.push_back(epochs ? "epoch" : "step");
  std::set<std::int64_t> all;
  for (const GroupCurve& group : groups) {
    table.columns.push_back(group.label);
    for (const auto& [x, values] : group.values) all.insert(x);
  }
  const std::vector<std::int64_t> x(all.begin(), all.end());
  const std::size_t every = (x.size() + kTableRows - 1) / kTableRows;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % std::max<std::size_t>(1, every) != 0 && i + 1 != x.size()) continue;
    std::vector<std::string> row{std::to_string(x[i])};
    for (const GroupCurve& group : groups) {
      const auto entry = group.values.find(x[i]);
      if (entry == group.values.end() || entry->second.empty()) {
        row.push_back("–");
        continue;
      }
      const Summary summary = summarize(entry->second);
      row.push_back(summary.count == 1 ? number_text(summary.mean)
                                       : fmt::format("{} ± {}", number_text(summary.mean),
                                                     number_text(summary.deviation, 2)));
    }
    table.rows.push_back(std::move(row));
  }
  if (every > 1) table.note = fmt::format("One of {} points and the last one.", every);
  return table;
}

std::string describe_curves(const std::vector<GroupCurve>& groups, std::string_view name) {
  std::size_t most = 0, runs = 0;
  for (const GroupCurve& group : groups) {
    for (const auto& [x, values] : group.values) most = std::max(most, values.size());
    runs += std::max<std::size_t>(1, group.series.strands.size());
  }
  std::string text = fmt::format("{} of {} over training.", name, count_text(runs, "run"));
  if (most > 1 && strand_count(groups) > kMostStrands) {
    text += fmt::format(
        " Lines: means over seeds; bands: sample standard deviation, up to {} runs. There are too "
        "many seeds to show them one by one.",
        most);
  } else if (most > 1) {
    text += fmt::format(
        " Thick lines: means over seeds; bands: sample standard deviation, up to {} runs; thin "
        "lines: "
        "single seeds.",
        most);
  }
  return text;
}

Chart make_chart(std::vector<GroupCurve>& groups, std::string_view name, bool epochs) {
  thin_out(groups);
  Chart chart;
  chart.title = name;
  chart.x_label = epochs ? "epoch" : "step";
  for (GroupCurve& group : groups) chart.series.push_back(group.series);
  if (name.find("accuracy") != std::string_view::npos) chart.logarithmic_y = false;
  return chart;
}

std::vector<LegendEntry> legend_of(const std::vector<GroupCurve>& groups) {
  std::vector<LegendEntry> legend;
  for (const GroupCurve& group : groups) legend.push_back({group.label, group.series.style});
  return legend;
}

Figure make_curve(std::string_view name, const RunSet& set) {
  name.remove_prefix(kPrefix.size());
  const bool epochs = by_epoch(set, name);
  auto groups = collect_curves(set, name, epochs);
  Figure figure;
  figure.title = name;
  figure.description = describe_curves(groups, name);
  figure.numbers = numbers_of(groups, epochs);
  figure.cursor = true;
  const Chart chart = make_chart(groups, name, epochs);
  return chart_figure(std::move(figure), chart, legend_of(groups));
}

std::vector<std::pair<std::string, std::string>> offer_curves(const RunSet& set) {
  std::vector<std::pair<std::string, std::string>> offers;
  for (const std::string& name : curve_names(set)) {
    offers.emplace_back(std::string(kPrefix) + name, name);
  }
  return offers;
}

// Small multiples, two in a row.
Figure make_all_curves(std::string_view, const RunSet& set) {
  const auto names = curve_names(set);
  constexpr double kPanelHeight = 210;
  const std::size_t columns = names.size() > 1 ? 2 : 1;
  const double width = 860, panel = (width - 16) / static_cast<double>(columns);
  Svg svg;
  Figure figure;
  figure.title = "Learning curves";
  figure.numbers.columns = {"curve", "series", "first", "last", "smallest", "largest"};
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool epochs = by_epoch(set, names[i]);
    auto groups = collect_curves(set, names[i], epochs);
    // One legend for all panels: a series keeps its style although a panel may lack another one.
    for (GroupCurve& group : groups) {
      const auto known = std::find_if(legend.begin(), legend.end(), [&](const LegendEntry& entry) {
        return entry.name == group.label;
      });
      if (known == legend.end()) {
        group.series.style = legend.size();
        legend.push_back({group.label, group.series.style});
      } else {
        group.series.style = known->style;
      }
      std::vector<double> means;
      for (const Point& p : group.series.line) {
        if (std::isfinite(p.y)) means.push_back(p.y);
      }
      if (means.empty()) continue;
      const auto [low, high] = std::minmax_element(means.begin(), means.end());
      figure.numbers.rows.push_back({names[i], group.label, number_text(means.front()),
                                     number_text(means.back()), number_text(*low),
                                     number_text(*high)});
    }
    const Chart chart = make_chart(groups, names[i], epochs);
    const double x = 8 + panel * static_cast<double>(i % columns);
    const double y = 6 + kPanelHeight * static_cast<double>(i / columns);
    draw_chart(svg, {x, y, panel - 8, kPanelHeight - 10}, chart);
  }
  const double rows = static_cast<double>((names.size() + columns - 1) / columns);
  const double bottom = 12 + kPanelHeight * rows, below = legend_height(legend, width - 24);
  draw_legend(svg, {12, bottom, width - 24, below}, legend);
  figure.description = fmt::format(
      "Every term of the loss and every metric over training, {} panels. Thick lines: means over "
      "seeds; bands: sample standard deviation; thin lines: single seeds.",
      names.size());
  return finish(std::move(figure), svg, width, bottom + below + 6);
}

std::vector<std::pair<std::string, std::string>> offer_all_curves(const RunSet& set) {
  if (curve_names(set).empty()) return {};
  return {{"curves", "Learning curves, all in one"}};
}

}  // namespace

const FigureKind kCurveFigures = {"curve", "One learning curve",
                                  "metrics.jsonl with a number in it", offer_curves, make_curve};
const FigureKind kAllCurvesFigure = {"curves", "Learning curves, all in one",
                                     "metrics.jsonl with a number in it", offer_all_curves,
                                     make_all_curves};

}  // namespace algprior::report
