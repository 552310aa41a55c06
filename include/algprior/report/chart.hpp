#pragma once

#include "algprior/report/axis.hpp"
#include "algprior/report/svg.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace algprior::report {

/// One curve over x: a line, a band about it, the single runs behind it, marks of their own.
struct ChartSeries {
  std::string name;
  std::size_t style = 0;         ///< colour, dash and mark
  std::vector<Point> line;       ///< may have gaps
  std::vector<Point> low, high;  ///< the band's edges over the same x; may be empty
  std::vector<std::vector<Point>> strands;
  std::vector<Point> marks;
  std::vector<Point> whiskers_low, whiskers_high;  ///< error bars, pairwise at one x
};

struct Chart {
  std::string title;
  std::string x_label, y_label;
  std::vector<ChartSeries> series;
  std::optional<bool> logarithmic_y;  ///< nothing: as the values ask for
  bool logarithmic_x = false;
  std::optional<std::pair<double, double>> y_range, x_range;
  std::vector<double> levels;  ///< dashed horizontal lines: chance, a published number
  bool diagonal = false;       ///< the line y = x
};

/// Draws a chart into a box, axes and labels included, without a legend. The lines stand in a
/// nested <svg class="data"> whose attributes data-x0, data-x1 (and y) give the range, so that a
/// script can find a value's place.
void draw_chart(Svg& svg, const Box& box, const Chart& chart);

/// What a legend says of one series.
struct LegendEntry {
  std::string name;
  std::size_t style = 0;
  enum class Kind { kLine, kMark, kArea } kind = Kind::kLine;
};

/// The height that the legend needs in this width.
double legend_height(const std::vector<LegendEntry>& entries, double width);
/// Draws it in rows from the left; never over data, because it has a box of its own.
void draw_legend(Svg& svg, const Box& box, const std::vector<LegendEntry>& entries);

/// At most about `budget` of the points, so that the curve looks the same: of each stretch the
/// first, the smallest, the largest and the last stay. Gaps stay gaps.
std::vector<Point> thin(const std::vector<Point>& points, std::size_t budget);

/// Values in groups: `values[category][series]`, nothing where there is none.
struct BarValue {
  double value = 0;
  std::optional<double> deviation;
  std::vector<double> runs;  ///< single values, drawn as dots
};
struct BarChart {
  std::string title;
  std::string label;  ///< of the axis of values
  std::vector<std::string> categories;
  std::vector<std::string> series;
  std::vector<std::vector<std::optional<BarValue>>> values;
};

/// Bars from zero, upright.
void draw_bars(Svg& svg, const Box& box, const BarChart& chart);

/// A line of marks with whiskers for each category, its name at the left: for values that lie close
/// together and for long names. The axis need not hold zero.
void draw_rows(Svg& svg, const Box& box, const BarChart& chart);
double rows_height(const BarChart& chart);

}  // namespace algprior::report
