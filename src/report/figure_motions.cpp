#include "algprior/base/error.hpp"
#include "algprior/io/csv.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::report {
namespace {

constexpr const char* kMotionFile = "motion_error.csv";
constexpr std::size_t kMostMotionRuns = 16;

std::vector<std::pair<std::string, std::string>> offer_motions(const RunSet& set) {
  return offer_file(set, kMotionFile, kMotionFigure);
}

// Errors over the angle: at the group's elements as marks, between them as a line. Reflections have
// no angle to stand at.
ChartSeries motion_series(const Run& run) {
  const io::CsvTable table = io::read_csv(run.folder / kMotionFile);
  const io::CsvColumn &element = table.column("element"), &angle = table.column("degrees"),
                      &sign = table.column("determinant"), &error = table.column("linear_error");
  if (!element.numeric || !angle.numeric || !sign.numeric || !error.numeric) {
    throw FileError({"cannot read the errors of rotations", table.file,
                     "numbers in the columns element, degrees, determinant and linear_error",
                     "measure the run again"});
  }
  ChartSeries series;
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (sign.numbers[i] < 0 || !std::isfinite(angle.numbers[i]) || !std::isfinite(error.numbers[i]))
      continue;
    (element.numbers[i] < 0 ? series.line : series.marks)
        .push_back({angle.numbers[i], error.numbers[i]});
  }
  std::stable_sort(series.line.begin(), series.line.end(),
                   [](const Point& a, const Point& b) { return a.x < b.x; });
  return series;
}

// Rotations by an angle and back stand at one place, in space all about other axes: their mean.
std::vector<Point> mean_by_angle(const std::vector<Point>& sorted) {
  constexpr double kSameAngle = 1e-3;  // degrees; the file has six digits
  std::vector<Point> means;
  std::size_t count = 0;
  for (const Point& point : sorted) {
    if (means.empty() || point.x - means.back().x > kSameAngle) {
      means.push_back(point);
      count = 1;
    } else {
      ++count;
      means.back().y += (point.y - means.back().y) / static_cast<double>(count);
    }
  }
  return means;
}

Figure make_motions(std::string_view, const RunSet& set) {
  Figure figure;
  Chart chart;
  chart.title = "Error of the best linear map by rotation";
  chart.x_label = "angle of the rotation, degrees";
  chart.y_label = "linear error";
  chart.x_range = {0, 183};  // marks at 180 are whole
  figure.numbers.columns = {"run", "at elements, mean", "between, mean"};
  std::vector<LegendEntry> legend;
  const auto mean = [](const std::vector<Point>& points) {
    double sum = 0;
    for (const Point& point : points) sum += point.y;
    return points.empty() ? NAN : sum / static_cast<double>(points.size());
  };
  std::size_t left_out = 0;
  for (const Run& run : set.runs) {
    if (!run.has(kMotionFile)) continue;
    if (chart.series.size() == kMostMotionRuns) {
      ++left_out;
      continue;
    }
    ChartSeries series = motion_series(run);
    series.name = run.name();
    series.style = chart.series.size();
    legend.push_back({series.name, series.style, LegendEntry::Kind::kLine});
    figure.numbers.rows.push_back(
        {series.name, number_text(mean(series.marks)), number_text(mean(series.line))});
    series.line = mean_by_angle(series.line);
    chart.series.push_back(std::move(series));
  }
  figure.description = fmt::format(
      "How far the best linear map is from carrying E(x) to E(Rx), for each rotation R: marks at "
      "the "
      "elements of the prior's group, lines between them{}. Lower is better.",
      left_out == 0 ? "" : fmt::format("; {} left out", count_text(left_out, "run")));
  return chart_figure(std::move(figure), chart, legend, 340);
}

}  // namespace

const FigureKind kMotionFigure = {"motions", "Error of the best linear map by rotation",
                                  "motion_error.csv in a run folder", offer_motions, make_motions};

}  // namespace algprior::report
