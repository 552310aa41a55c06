#include "algprior/base/error.hpp"
#include "algprior/io/csv.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::report {
namespace {

using Offers = std::vector<std::pair<std::string, std::string>>;

struct SpreadPoint {
  const Run* run;
  double spread, error;
};

std::vector<SpreadPoint> spread_points(const RunSet& set) {
  std::vector<SpreadPoint> points;
  for (const Run& run : set.runs) {
    const auto spread = run.metric("latent_spread");
    auto error = run.metric("equivariance_error_regular");
    if (!error) error = run.metric("equivariance_error");
    if (spread && error && *spread > 0 && *error > 0) points.push_back({&run, *spread, *error});
  }
  return points;
}

Offers offer_spread(const RunSet& set) {
  if (spread_points(set).empty()) return {};
  return {{std::string(kSpreadFigure.name), std::string(kSpreadFigure.title)}};
}

Figure make_spread(std::string_view, const RunSet& set) {
  Figure figure;
  Chart chart;
  chart.title = "Latent spread against equivariance error";
  chart.x_label = "latent spread";
  chart.y_label = "equivariance error";
  figure.numbers.columns = {"run", "latent spread", "equivariance error"};
  std::vector<LegendEntry> legend;
  std::vector<double> x;
  const bool labelled = several_experiments(set);
  for (const SpreadPoint& point : spread_points(set)) {
    const std::string label =
        labelled ? point.run->experiment + "/" + point.run->row : point.run->row;
    auto series = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const ChartSeries& s) { return s.name == label; });
    if (series == chart.series.end()) {
      legend.push_back({label, chart.series.size(), LegendEntry::Kind::kMark});
      ChartSeries added;
      added.name = label;
      added.style = chart.series.size();
      series = chart.series.insert(chart.series.end(), added);
    }
    series->marks.push_back({point.spread, point.error});
    x.push_back(point.spread);
    figure.numbers.rows.push_back(
        {point.run->name(), number_text(point.spread), number_text(point.error)});
  }
  chart.logarithmic_x = wants_logarithm(x);
  const Axis axis = fit_axis(x, chart.logarithmic_x);
  chart.x_range = {axis.low, axis.high};
  figure.description =
      "One mark a run: how far latent vectors spread (a collapsed encoder is far left) against the "
      "error to the regular representation where it was measured, else to the run's own.";
  return chart_figure(std::move(figure), chart, legend);
}

constexpr const char* kTheoremFile = "theorem.csv";

Offers offer_theorem(const RunSet& set) {
  return offer_file(set, kTheoremFile, kTheoremFigure);
}

Figure make_theorem(std::string_view, const RunSet& set) {
  const Run& run = *first_with(set, kTheoremFile);
  const io::CsvTable table = io::read_csv(run.folder / kTheoremFile);
  const io::CsvColumn &distance = table.column("distance"), &bound = table.column("bound");
  if (!distance.numeric || !bound.numeric) {
    throw FileError({"cannot read Theorem 1's numbers", table.file,
                     "numbers in the columns distance and bound", "measure the run again"});
  }
  ChartSeries series;
  series.name = run.name();
  std::size_t above = 0, count = 0;
  std::vector<double> all;
  for (std::size_t i = 0; i < table.rows; ++i) {
    const double x = bound.numbers[i], y = distance.numbers[i];
    if (!std::isfinite(x) || !std::isfinite(y) || x <= 0 || y <= 0) continue;
    ++count;
    above += y > x;
    all.insert(all.end(), {x, y});
    if (series.marks.size() < 400) series.marks.push_back({x, y});
  }
  Chart chart;
  chart.title = "Theorem 1, " + run.name();
  chart.x_label = "bound ε √|G| / σ_min";
  chart.y_label = "distance";
  chart.series = {series};
  chart.diagonal = true;
  chart.logarithmic_x = true;
  chart.logarithmic_y = true;
  const Axis range = fit_axis(all, true);
  chart.x_range = chart.y_range = {range.low, range.high};
  Figure figure;
  figure.title = "Theorem 1's bound";
  figure.description = fmt::format(
      "Run {}: distance between ρ and the representation on the orbit's span against Theorem 1's "
      "bound, "
      "{} samples; {} lie above the dashed line, where the two are equal.",
      run.name(), count, above);
  figure.numbers.columns = {"samples", "above the bound"};
  figure.numbers.rows = {{std::to_string(count), std::to_string(above)}};
  return chart_figure(std::move(figure), chart, {}, 380);
}

}  // namespace

const FigureKind kSpreadFigure = {"spread", "Latent spread against equivariance error",
                                  "results with latent_spread and equivariance_error", offer_spread,
                                  make_spread};
const FigureKind kTheoremFigure = {"theorem", "Theorem 1's bound", "theorem.csv in a run folder",
                                   offer_theorem, make_theorem};

}  // namespace algprior::report
