#pragma once

#include "algprior/report/chart.hpp"
#include "algprior/report/figure.hpp"
#include "algprior/report/grid.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace algprior::report {

/// One kind of figure: the names that it can fill from these runs, with their titles, and how one
/// is made. A new kind is one file and one line in the table of figure.cpp.
struct FigureKind {
  std::string_view name;  ///< "curve", or the beginning of the names "curve/…"
  std::string_view title;
  std::string_view needs;  ///< what the runs must have: "eigenvalues.csv in a run folder"
  std::vector<std::pair<std::string, std::string>> (*offers)(const RunSet&);
  Figure (*make)(std::string_view name, const RunSet&);
};

extern const FigureKind kCurveFigures, kAllCurvesFigure, kProbeFigure, kEigenvalueFigure,
    kEigenvalueCountFigure, kMultiplicityFigure, kElementFigure, kLambdaFigure, kOrbitFigure,
    kRolloutFigure, kMotionFigure, kTableFigures, kSpreadFigure, kTheoremFigure, kRunGroupFigure;

constexpr double kFigureWidth = 720;

/// Closes a drawing: what was drawn becomes the figure's body.
Figure finish(Figure figure, const Svg& svg, double width, double height);

/// A chart with its legend below, as a figure of the usual size.
Figure chart_figure(Figure figure, const Chart& chart, const std::vector<LegendEntry>& legend,
                    double height = 300);

/// "regular", or "ddmnist-d4/regular" where several experiments are together.
std::string group_label(const RunGroup& group, bool with_experiment);
bool several_experiments(const RunSet& set);

/// What the runs are compared by: the first of a list of metrics that one of them has; "" for none.
std::string headline_metric(const std::vector<const Run*>& runs);
/// Whether more of a metric is better: of accuracies, not of errors and losses.
bool higher_is_better(std::string_view metric);

/// The first run that has the file; nullptr when none has.
const Run* first_with(const RunSet& set, const std::string& file);
std::vector<std::pair<std::string, std::string>> offer_file(const RunSet& set, const char* file,
                                                            const FigureKind& kind);

/// "3 runs", "1 run"
std::string count_text(std::size_t count, const std::string& noun);

/// g as a word in the generators, short: "r²s".
std::string element_name(const Group& group, Element g);

/// The elements so that those of a left coset g⟨a⟩ of the first generator stand together, in the
/// order g, ga, ga², …; `breaks` (may be null) gets where cosets begin, but the first.
std::vector<Element> cayley_order(const Group& group, std::vector<std::size_t>* breaks);

}  // namespace algprior::report
