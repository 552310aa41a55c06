#include "algprior/report/chart.hpp"

#include "algprior/report/markup.hpp"
#include "frame.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

namespace algprior::report {
namespace {

// A point with nothing to say on a logarithmic axis becomes a gap.
std::vector<Point> placed(const std::vector<Point>& points, const Axis& x, const Axis& y,
                          Point origin) {
  std::vector<Point> pixels;
  pixels.reserve(points.size());
  for (const Point& p : points) {
    const bool shown = std::isfinite(p.x) && std::isfinite(p.y) && (!y.logarithmic || p.y > 0) &&
                       (!x.logarithmic || p.x > 0);
    pixels.push_back(shown ? Point{x.to_pixel(p.x) - origin.x, y.to_pixel(p.y) - origin.y}
                           : Point{0, NAN});
  }
  return pixels;
}

void collect(const std::vector<Point>& points, std::vector<double>& x, std::vector<double>& y) {
  for (const Point& p : points) {
    if (!std::isfinite(p.y)) continue;
    x.push_back(p.x);
    y.push_back(p.y);
  }
}

// The band between two edges; broken where one of them has a gap.
void draw_band(Svg& svg, const std::vector<Point>& low, const std::vector<Point>& high,
               const std::string& cls) {
  for (std::size_t i = 0; i < low.size();) {
    if (!std::isfinite(low[i].y) || !std::isfinite(high[i].y)) {
      ++i;
      continue;
    }
    std::size_t end = i;
    std::vector<Point> outline;
    while (end < low.size() && std::isfinite(low[end].y) && std::isfinite(high[end].y)) {
      outline.push_back(high[end++]);
    }
    for (std::size_t k = end; k-- > i;) outline.push_back(low[k]);
    if (end > i + 1) svg.polygon(outline, cls);
    i = end;
  }
}

// The band's lower edge may leave a logarithmic axis: it ends at the axis then.
std::vector<Point> clamped(std::vector<Point> points, const Axis& y) {
  for (Point& p : points) {
    if (std::isfinite(p.y)) p.y = std::clamp(p.y, y.low, y.high);
  }
  return points;
}

void draw_series(Svg& svg, const Frame& frame, const ChartSeries& series) {
  const Point origin{frame.inside.x, frame.inside.y};
  const auto place = [&](const std::vector<Point>& points) {
    return placed(points, frame.x, frame.y, origin);
  };
  const std::string stroke = stroke_class(series.style);
  svg.open(fmt::format("data-s=\"{}\" data-name=\"{}\"", series.style, escape(series.name)));
  if (!series.low.empty()) {
    draw_band(svg, place(clamped(series.low, frame.y)), place(clamped(series.high, frame.y)),
              band_class(series.style));
  }
  for (const auto& strand : series.strands) svg.polyline(place(strand), stroke + " st");
  svg.polyline(place(series.line), stroke, dash_of(series.style));
  const auto low = place(clamped(series.whiskers_low, frame.y));
  const auto high = place(clamped(series.whiskers_high, frame.y));
  for (std::size_t i = 0; i < low.size() && i < high.size(); ++i) {
    if (!std::isfinite(low[i].y) || !std::isfinite(high[i].y)) continue;
    const double x = low[i].x;
    svg.path(
        fmt::format("M{0},{3}H{1}M{2},{3}V{4}M{0},{4}H{1}", coordinate(x - 4), coordinate(x + 4),
                    coordinate(x), coordinate(low[i].y), coordinate(high[i].y)),
        "wk");
  }
  for (const Point& p : place(series.marks)) {
    if (std::isfinite(p.y)) svg.mark(p, 3.4, series.style);
  }
  svg.close();
}

}  // namespace

std::vector<Point> thin(const std::vector<Point>& points, std::size_t budget) {
  if (points.size() <= budget || budget < 8) return points;
  const std::size_t buckets = budget / 4;
  std::vector<Point> kept;
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t begin = b * points.size() / buckets, end = (b + 1) * points.size() / buckets;
    std::vector<std::size_t> stay = {begin, end - 1};
    std::size_t smallest = end, largest = end;
    for (std::size_t i = begin; i < end; ++i) {
      const double y = points[i].y;
      if (!std::isfinite(y)) continue;
      if (smallest == end || y < points[smallest].y) smallest = i;
      if (largest == end || y > points[largest].y) largest = i;
    }
    // One gap of a stretch stands for all of them, so that a broken line stays broken.
    for (std::size_t i = begin; i < end; ++i) {
      if (!std::isfinite(points[i].y)) {
        stay.push_back(i);
        break;
      }
    }
    if (smallest != end) stay.insert(stay.end(), {smallest, largest});
    std::sort(stay.begin(), stay.end());
    stay.erase(std::unique(stay.begin(), stay.end()), stay.end());
    for (const std::size_t i : stay) kept.push_back(points[i]);
  }
  return kept;
}

void draw_chart(Svg& svg, const Box& box, const Chart& chart) {
  std::vector<double> x_values, y_values, centre;
  for (const ChartSeries& series : chart.series) {
    std::vector<double> unused;
    for (const auto& strand : series.strands) {
      collect(strand, x_values, y_values);
      collect(strand, unused, centre);
    }
    for (const auto* points : {&series.line, &series.marks}) {
      collect(*points, x_values, y_values);
      collect(*points, unused, centre);
    }
    for (const auto* points :
         {&series.low, &series.high, &series.whiskers_low, &series.whiskers_high}) {
      collect(*points, x_values, y_values);
    }
  }
  y_values.insert(y_values.end(), chart.levels.begin(), chart.levels.end());
  const bool logarithmic = chart.logarithmic_y.value_or(wants_logarithm(centre));
  // A band's lower edge may be negative: the values themselves make the logarithmic range.
  Axis y = fit_axis(logarithmic ? centre : y_values, logarithmic);
  if (chart.y_range) std::tie(y.low, y.high) = *chart.y_range;
  y.label = chart.y_label;
  Axis x = fit_axis(x_values, chart.logarithmic_x);
  if (!chart.logarithmic_x && !x_values.empty()) {
    const auto [least, most] = std::minmax_element(x_values.begin(), x_values.end());
    if (*least < *most && !chart.diagonal) {
      x.low = *least;
      x.high = *most;
    }
  }
  x.whole = !x_values.empty() && std::all_of(x_values.begin(), x_values.end(),
                                             [](double v) { return v == std::round(v); });
  if (chart.x_range) std::tie(x.low, x.high) = *chart.x_range;
  x.label = chart.x_label;
  const Frame frame = lay_out(box, x, y, chart.title);
  draw_frame(svg, frame, chart.title);
  const Box& in = frame.inside;
  svg.raw(fmt::format(
      "<svg class=\"data\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
      "viewBox=\"0 0 {2} {3}\" preserveAspectRatio=\"none\" data-x0=\"{4}\" data-x1=\"{5}\" "
      "data-y0=\"{6}\" data-y1=\"{7}\"{8}{9}>",
      coordinate(in.x), coordinate(in.y), coordinate(in.width), coordinate(in.height),
      number_text(frame.x.low, 9), number_text(frame.x.high, 9), number_text(frame.y.low, 9),
      number_text(frame.y.high, 9), frame.x.logarithmic ? " data-logx=\"1\"" : "",
      frame.y.logarithmic ? " data-logy=\"1\"" : ""));
  for (const double level : chart.levels) {
    const double at = frame.y.to_pixel(level) - in.y;
    svg.line({0, at}, {in.width, at}, "ax", "3 3");
  }
  if (chart.diagonal) {
    const double low = std::max(frame.x.low, frame.y.low),
                 high = std::min(frame.x.high, frame.y.high);
    if (low < high) {
      svg.line({frame.x.to_pixel(low) - in.x, frame.y.to_pixel(low) - in.y},
               {frame.x.to_pixel(high) - in.x, frame.y.to_pixel(high) - in.y}, "ax", "3 3");
    }
  }
  for (const ChartSeries& series : chart.series) draw_series(svg, frame, series);
  svg.raw("</svg>");
}

}  // namespace algprior::report
