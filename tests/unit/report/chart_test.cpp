#include "algprior/report/chart.hpp"

#include "small_runs.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace algprior::report {
namespace {

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks) result.push_back(tick.text);
  return result;
}

using Texts = std::vector<std::string>;

TEST(Axis, RoundNumbersWithEqualDecimals) {
  EXPECT_EQ(texts(make_ticks({.low = 0, .high = 1}, 5)),
            (Texts{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(texts(make_ticks({.low = -0.3, .high = 0.3}, 3)), (Texts{"-0.2", "0", "0.2"}));
  EXPECT_EQ(texts(make_ticks({.low = 0, .high = 20000}, 4)),
            (Texts{"0", "5k", "10k", "15k", "20k"}));
  EXPECT_EQ(texts(make_ticks({.low = 1, .high = 3, .whole = true}, 8)), (Texts{"1", "2", "3"}));
}

TEST(Axis, LogarithmicTicks) {
  EXPECT_EQ(texts(make_ticks({.low = 0.02, .high = 0.3, .logarithmic = true}, 4)),
            (Texts{"0.02", "0.05", "0.1", "0.2"}));
  EXPECT_EQ(texts(make_ticks({.low = 1e-6, .high = 1, .logarithmic = true}, 4)),
            (Texts{"1e-06", "1e-04", "0.01", "1"}));
}

// Every tick lies inside the range and there are about as many as were asked for.
TEST(Axis, TicksStayInside) {
  for (const double low : {-1e6, -3.7, 0.0, 1e-9, 5.5}) {
    for (const double length : {1e-12, 0.03, 1.0, 17.0, 4e7}) {
      const Axis axis{.low = low, .high = low + std::max(length, 1e-6 * std::abs(low))};
      const auto ticks = make_ticks(axis, 5);
      EXPECT_LE(ticks.size(), 12u);
      for (const Tick& tick : ticks) {
        EXPECT_GE(tick.value, axis.low - 1e-6 * (axis.high - axis.low));
        EXPECT_LE(tick.value, axis.high + 1e-6 * (axis.high - axis.low));
      }
    }
  }
}

TEST(Axis, FitsWhatIsFinite) {
  const Axis axis = fit_axis({1, NAN, 3, INFINITY});
  EXPECT_LT(axis.low, 1);
  EXPECT_GT(axis.high, 3);
  EXPECT_LT(axis.high, 4);
  EXPECT_LT(fit_axis({5}).low, 5);
  EXPECT_GT(fit_axis({5}).high, 5);
  EXPECT_LT(fit_axis({}).low, fit_axis({}).high);
  EXPECT_GT(fit_axis({0, -1}, true).low, 0);
  EXPECT_TRUE(wants_logarithm({0.001, 1, NAN}));
  EXPECT_FALSE(wants_logarithm({0, 1}));
  EXPECT_FALSE(wants_logarithm({}));
}

TEST(Chart, GapsBreakTheLine) {
  Svg svg;
  svg.polyline({{0, 0}, {1, 1}, {2, NAN}, {3, 1}, {4, NAN}, {5, 2}, {6, 3}}, "s0");
  EXPECT_EQ(svg.body(),
            "<path class=\"s0\" d=\"M0,0L1,1M5,2L6,3\"/><path class=\"s0 dot\" d=\"M3,1h0\"/>");
}

TEST(Chart, CoordinatesHaveOneForm) {
  EXPECT_EQ(coordinate(0), "0");
  EXPECT_EQ(coordinate(-0.04), "0");
  EXPECT_EQ(coordinate(-0.05), "-0.1");
  EXPECT_EQ(coordinate(12.34), "12.3");
  EXPECT_EQ(coordinate(-3.5), "-3.5");
  EXPECT_EQ(coordinate(NAN), "0");
}

// The smallest and the largest value survive, wherever they stand; gaps stay gaps.
TEST(Chart, ThinningKeepsExtremesAndGaps) {
  std::vector<Point> points;
  for (int i = 0; i < 5000; ++i) points.push_back({static_cast<double>(i), std::sin(i * 0.01)});
  points[1234].y = 50;
  points[4321].y = -50;
  points[2500].y = NAN;
  const auto few = thin(points, 200);
  EXPECT_LE(few.size(), 260u);
  const auto has = [&](double y) {
    return std::any_of(few.begin(), few.end(), [&](const Point& p) { return p.y == y; });
  };
  EXPECT_TRUE(has(50));
  EXPECT_TRUE(has(-50));
  EXPECT_EQ(std::count_if(few.begin(), few.end(), [](const Point& p) { return std::isnan(p.y); }),
            1);
  EXPECT_EQ(few.front().x, 0);
  EXPECT_EQ(few.back().x, 4999);
  EXPECT_TRUE(std::is_sorted(few.begin(), few.end(),
                             [](const Point& a, const Point& b) { return a.x < b.x; }));
  EXPECT_EQ(thin(few, 10000).size(), few.size());
}

TEST(Chart, DrawsSeriesBandAndMarks) {
  Chart chart;
  chart.title = "a <b>";
  ChartSeries series;
  series.name = "\"quoted\"";
  series.line = {{0, 1}, {1, 2}, {2, 3}};
  series.low = {{0, 0.5}, {1, 1.5}, {2, 2.5}};
  series.high = {{0, 1.5}, {1, 2.5}, {2, 3.5}};
  series.marks = {{1, 2}};
  chart.series = {series};
  Svg svg;
  draw_chart(svg, {0, 0, 400, 200}, chart);
  EXPECT_EQ(count_of_text(svg.body(), "class=\"b0\""), 1u);
  EXPECT_EQ(count_of_text(svg.body(), "class=\"f0 mk\""), 1u);
  EXPECT_EQ(count_of_text(svg.body(), "data-name=\"&quot;quoted&quot;\""), 1u);
  EXPECT_EQ(count_of_text(svg.body(), "<b>"), 0u);
  EXPECT_EQ(count_of_text(svg.body(), "nan"), 0u);
}

// Two series must differ in more than their colour.
TEST(Chart, StylesDifferWithoutColour) {
  for (std::size_t a = 0; a < 40; ++a) {
    for (std::size_t b = a + 1; b < 40; ++b) {
      EXPECT_FALSE(stroke_class(a) == stroke_class(b) && dash_of(a) == dash_of(b)) << a << " " << b;
    }
    EXPECT_NE(dash_of(a), dash_of(a + 1)) << a;
  }
}

TEST(Chart, LegendTakesTheRoomItNeeds) {
  const std::vector<LegendEntry> one = {{"short", 0}};
  std::vector<LegendEntry> many;
  for (std::size_t i = 0; i < 12; ++i) many.push_back({"a rather long name of a row", i});
  EXPECT_EQ(legend_height({}, 300), 0);
  EXPECT_LT(legend_height(one, 300), legend_height(many, 300));
  EXPECT_LT(legend_height(many, 1200), legend_height(many, 300));
}

}  // namespace
}  // namespace algprior::report
