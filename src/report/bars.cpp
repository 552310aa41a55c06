#include "algprior/base/text.hpp"
#include "algprior/report/chart.hpp"
#include "algprior/report/markup.hpp"
#include "frame.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::report {
namespace {

std::vector<double> ends_of(const BarChart& chart) {
  std::vector<double> values;
  for (const auto& category : chart.values) {
    for (const auto& bar : category) {
      if (!bar || !std::isfinite(bar->value)) continue;
      const double spread = bar->deviation.value_or(0);
      values.insert(values.end(), {bar->value - spread, bar->value + spread});
      values.insert(values.end(), bar->runs.begin(), bar->runs.end());
    }
  }
  return values;
}

double count_of(std::size_t count) {
  return static_cast<double>(std::max<std::size_t>(1, count));
}

std::string open_bar(const BarValue& bar) {
  return fmt::format("class=\"bar\" data-v=\"{}\"", number_text(bar.value));
}

constexpr double kRowStep = 15, kRowGap = 9, kRowsAround = 22 + 18 + 17 + 8;

double row_height(const BarChart& chart) {
  return kRowStep * count_of(chart.series.size()) + kRowGap;
}

}  // namespace

void draw_bars(Svg& svg, const Box& box, const BarChart& chart) {
  std::vector<double> values = ends_of(chart);
  values.push_back(0);
  Axis y = fit_axis(values);
  y.label = chart.label;
  // Names too long for their place are turned, and need room below.
  const double place = (box.width - 60) / count_of(chart.categories.size());
  double longest = 0;
  for (const std::string& name : chart.categories) {
    longest = std::max(longest, text_width(name, 11));
  }
  const bool turned = longest > place - 4;
  Box upper = box;
  if (turned) upper.height -= std::min(box.height / 3, longest * 0.5);
  const Frame frame = lay_out(upper, Axis{}, y, chart.title, true);
  draw_frame(svg, frame, chart.title, false);
  const Box& in = frame.inside;
  const double step = in.width / count_of(chart.categories.size());
  const double slot = step * 0.8 / count_of(chart.series.size());
  const double thickness = std::min(slot * 0.86, 34.0);
  const double zero = frame.y.to_pixel(0);
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    const double middle = in.x + step * (static_cast<double>(c) + 0.5);
    svg.text({middle, in.bottom() + (turned ? 14 : 16)}, chart.categories[c], "tx",
             turned ? Anchor::kEnd : Anchor::kMiddle, turned ? -30 : 0);
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const auto& bar = chart.values[c][s];
      if (!bar || !std::isfinite(bar->value)) continue;
      const double x = middle + slot * (static_cast<double>(s) + 0.5 -
                                        static_cast<double>(chart.series.size()) / 2);
      const double top = frame.y.to_pixel(bar->value);
      svg.open(open_bar(*bar));
      svg.rect({x - thickness / 2, std::min(top, zero), thickness, std::abs(zero - top)},
               fill_class(s));
      if (bar->deviation && *bar->deviation > 0) {
        const double high = frame.y.to_pixel(bar->value + *bar->deviation);
        const double low = frame.y.to_pixel(bar->value - *bar->deviation);
        svg.path(fmt::format("M{0},{3}H{1}M{2},{3}V{4}M{0},{4}H{1}", coordinate(x - 5),
                             coordinate(x + 5), coordinate(x), coordinate(low), coordinate(high)),
                 "wk");
      }
      for (std::size_t r = 0; r < bar->runs.size(); ++r) {
        const double beside = thickness * 0.28 * (r % 2 == 0 ? -1 : 1);
        svg.circle({x + beside, frame.y.to_pixel(bar->runs[r])}, 2.1, "im mk");
      }
      svg.close();
    }
  }
}

double rows_height(const BarChart& chart) {
  return kRowsAround + row_height(chart) * static_cast<double>(chart.categories.size());
}

void draw_rows(Svg& svg, const Box& box, const BarChart& chart) {
  Axis x = fit_axis(ends_of(chart));
  x.label = chart.label;
  double names = 0;
  std::vector<std::string> labels;
  for (const std::string& name : chart.categories) {
    labels.push_back(fit_width(name, 42));
    names = std::max(names, text_width(labels.back(), 11));
  }
  const Box in{box.x + names + 12, box.y + 22, box.width - names - 30, box.height - kRowsAround};
  x.start = in.x;
  x.end = in.right();
  svg.text({box.x + 2, box.y + 13}, chart.title, "tt");
  for (const Tick& tick : make_ticks(x, static_cast<int>(in.width / 60))) {
    const double at = x.to_pixel(tick.value);
    svg.line({at, in.y}, {at, in.bottom()}, "gr");
    svg.text({at, in.bottom() + 15}, tick.text, "tm", Anchor::kMiddle);
  }
  svg.line({in.x, in.bottom()}, {in.right(), in.bottom()}, "ax");
  svg.text({in.x + in.width / 2, in.bottom() + 32}, chart.label, "tx", Anchor::kMiddle);
  for (std::size_t c = 0; c < labels.size(); ++c) {
    const double top = in.y + row_height(chart) * static_cast<double>(c);
    svg.text({in.x - 8, top + row_height(chart) / 2 + 4}, labels[c], "tx", Anchor::kEnd);
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const auto& bar = chart.values[c][s];
      if (!bar || !std::isfinite(bar->value)) continue;
      const double y = top + kRowGap / 2 + kRowStep * (static_cast<double>(s) + 0.5);
      svg.open(open_bar(*bar));
      if (bar->deviation && *bar->deviation > 0) {
        const double low = x.to_pixel(bar->value - *bar->deviation);
        const double high = x.to_pixel(bar->value + *bar->deviation);
        svg.path(fmt::format("M{0},{2}V{3}M{0},{4}H{1}M{1},{2}V{3}", coordinate(low),
                             coordinate(high), coordinate(y - 4), coordinate(y + 4), coordinate(y)),
                 "wk");
      }
      svg.mark({x.to_pixel(bar->value), y}, 4.2, s);
      svg.close();
    }
  }
}

}  // namespace algprior::report
