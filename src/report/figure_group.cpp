#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace algprior::report {
namespace {

constexpr std::size_t kMostElements = 200, kMostClasses = 64;
constexpr double kTurn = 2 * std::numbers::pi;

// Where the elements stand: the cosets g⟨a⟩ of the first generator are rings. Two of them are
// concentric; more stand on a circle, each turned so that its arrows to rings already placed are
// short.
std::vector<Point> place_elements(const Group& group, double side) {
  std::vector<std::size_t> breaks;
  const std::vector<Element> order = cayley_order(group, &breaks);
  breaks.insert(breaks.begin(), 0);
  breaks.push_back(order.size());
  const std::size_t rings = breaks.size() - 1, members = breaks[1];
  std::vector<Point> places(group.order());
  std::vector<bool> placed(group.order(), false);
  const Point centre{side / 2, side / 2};
  const double far = side / 2 - 34;
  // Neighbouring rings must not touch.
  const double wide =
      std::sin(std::numbers::pi / static_cast<double>(std::max<std::size_t>(rings, 2)));
  const double small = far * wide / (1 + wide) * (members == 1 ? 0 : 0.78);
  for (std::size_t ring = 0; ring < rings; ++ring) {
    Point middle = centre;
    double radius = far;
    if (rings == 2) {
      radius = ring == 0 ? far : far * 0.48;
    } else if (rings > 2) {
      radius = small;
      const double angle =
          kTurn * static_cast<double>(ring) / static_cast<double>(rings) - kTurn / 4;
      middle = {centre.x + (far - small) * std::cos(angle),
                centre.y + (far - small) * std::sin(angle)};
    }
    const auto at = [&](std::size_t k, std::size_t turn, bool back) {
      const double share =
          static_cast<double>(back ? members - k % members : k) + static_cast<double>(turn);
      const double angle = kTurn * share / static_cast<double>(members) - kTurn / 4;
      return Point{middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)};
    };
    double best = INFINITY;
    std::size_t best_turn = 0;
    bool best_back = false;
    for (const bool back : {false, true}) {
      for (std::size_t turn = 0; turn < members; ++turn) {
        double length = 0;
        for (std::size_t k = 0; k < members; ++k) {
          const Element g = order[breaks[ring] + k];
          for (std::size_t s = 1; s < group.generators().size(); ++s) {
            for (const Element h : {group.multiply(g, group.generators()[s]),
                                    group.multiply(g, group.inverse(group.generators()[s]))}) {
              if (placed[h])
                length += std::hypot(at(k, turn, back).x - places[h].x,
                                     at(k, turn, back).y - places[h].y);
            }
          }
        }
        if (length < best - 1e-6) best = length, best_turn = turn, best_back = back;
      }
    }
    for (std::size_t k = 0; k < members; ++k)
      places[order[breaks[ring] + k]] = at(k, best_turn, best_back);
    for (std::size_t k = 0; k < members; ++k) placed[order[breaks[ring] + k]] = true;
  }
  return places;
}

// From g towards gs, ending at the rim of the other mark; an arrow head unless s = s⁻¹.
void draw_arrow(Svg& svg, Point from, Point to, double rim, std::size_t style, bool head) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 2 * rim) return;
  const double dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;
  const Point start{from.x + rim * dx, from.y + rim * dy}, end{to.x - rim * dx, to.y - rim * dy};
  svg.line(start, {end.x - (head ? 5 : 0) * dx, end.y - (head ? 5 : 0) * dy}, stroke_class(style),
           dash_of(style));
  if (!head) return;
  svg.polygon({end,
               {end.x - 9 * dx - 4 * dy, end.y - 9 * dy + 4 * dx},
               {end.x - 9 * dx + 4 * dy, end.y - 9 * dy - 4 * dx}},
              fill_class(style));
}

std::vector<std::pair<std::string, std::string>> offer_group(const RunSet& set) {
  for (const Run& run : set.runs) {
    try {
      if (make_group(run.setting("data.group")).classes().count() <= kMostClasses) {
        return {{std::string(kRunGroupFigure.name), std::string(kRunGroupFigure.title)}};
      }
    } catch (const Error&) {  // no group, or none that this version knows
    }
  }
  return {};
}

Figure make_run_group(std::string_view, const RunSet& set) {
  for (const Run& run : set.runs) {
    try {
      return characters_figure(make_group(run.setting("data.group")));
    } catch (const Error&) {  // the next run may have one
    }
  }
  throw InputError({"no run names a group", "data.group", "a finite group", ""});
}

std::vector<std::string> class_labels(const CharacterTable& table) {
  std::vector<std::string> names;
  std::map<std::size_t, std::size_t> seen;
  for (std::size_t c = 0; c < table.count(); ++c) {
    const std::size_t order = table.powers().element_order(c), letter = seen[order]++;
    names.push_back(letter < 26 ? fmt::format("{}{}", order, static_cast<char>('a' + letter))
                                : fmt::format("{}_{}", order, letter));
  }
  return names;
}

}  // namespace

Figure cayley_figure(const Group& group) {
  if (group.order() > kMostElements) {
    throw LimitError({"the Cayley graph would be too full to read",
                      fmt::format("{} has {} elements", group.name(), group.order()),
                      fmt::format("a group of order {} or less", kMostElements),
                      "draw its characters instead: --figure characters"});
  }
  const double side = group.order() <= 12 ? 440 : group.order() <= 48 ? 620 : 820;
  const double rim = group.order() <= 24 ? 18 : group.order() <= 64 ? 9 : 5;
  const std::vector<Point> places = place_elements(group, side);
  Svg svg;
  Figure figure;
  figure.name = "cayley";
  figure.title = "Cayley graph of " + group.name();
  figure.description = fmt::format(
      "{} elements of {}; an arrow for each generator s from g to gs, a plain line where s is its "
      "own "
      "inverse. The cosets of the first generator are rings.",
      group.order(), group.name());
  figure.numbers.columns = {"element"};
  svg.text({12, 20}, figure.title, "tt");
  svg.open("transform=\"translate(0 24)\"");
  std::vector<LegendEntry> legend;
  for (std::size_t s = 0; s < group.generators().size(); ++s) {
    const Element a = group.generators()[s];
    const bool involution = group.element_order(a) == 2;
    legend.push_back({"g → g·" + group.generator_names()[s], s});
    figure.numbers.columns.push_back("·" + group.generator_names()[s]);
    for (Element g = 0; g < group.order(); ++g) {
      const Element h = group.multiply(g, a);
      if (h == g || (involution && h < g)) continue;
      draw_arrow(svg, places[g], places[h], rim + 1, s, !involution);
    }
  }
  for (Element g = 0; g < group.order(); ++g) {
    const std::string name = element_name(group, g);
    svg.circle(places[g], rim, "bg");
    svg.circle(places[g], rim, "ax vx");
    if (text_width(name, 10) <= 2 * rim - 2) {
      svg.text({places[g].x, places[g].y + 4}, name, "tx", Anchor::kMiddle);
    } else if (group.order() <= 24) {
      const bool right = places[g].x >= side / 2 - 1;
      svg.text({places[g].x + (right ? rim + 3 : -rim - 3), places[g].y - rim + 2}, name, "tx",
               right ? Anchor::kStart : Anchor::kEnd);
    }
    std::vector<std::string> row{name};
    for (const Element a : group.generators()) {
      row.push_back(element_name(group, group.multiply(g, a)));
    }
    figure.numbers.rows.push_back(std::move(row));
  }
  svg.close();
  const double below = legend_height(legend, side - 24);
  draw_legend(svg, {12, side + 26, side - 24, below}, legend);
  return finish(std::move(figure), svg, side, side + below + 32);
}

Figure characters_figure(const Group& group) {
  if (group.classes().count() > kMostClasses) {
    throw LimitError({"the character table would be too large to read",
                      fmt::format("{} has {} classes", group.name(), group.classes().count()),
                      fmt::format("at most {} classes", kMostClasses),
                      "algprior group prints the degrees of all characters"});
  }
  const CharacterTable table = character_table(group);
  HeatMap map;
  map.title = "Characters of " + group.name();
  map.columns = class_labels(table);
  map.scale = ColourScale::kSigned;
  map.scale_label = "real part";
  Figure figure;
  figure.name = "characters";
  figure.title = map.title;
  figure.numbers.columns = {"character"};
  for (const std::string& name : map.columns) figure.numbers.columns.push_back(name);
  double largest = 1;
  for (std::size_t i = 0; i < table.count(); ++i) {
    map.rows.push_back(fmt::format("χ{}", i));
    auto& values = map.values.emplace_back();
    auto& texts = map.texts.emplace_back();
    for (std::size_t c = 0; c < table.count(); ++c) {
      values.push_back(table.value(i, c).real());
      texts.push_back(to_string(table.exact(i, c)));
      largest = std::max(largest, std::abs(values.back()));
    }
    std::vector<std::string> row{map.rows.back()};
    row.insert(row.end(), texts.begin(), texts.end());
    figure.numbers.rows.push_back(std::move(row));
  }
  map.low = -largest;
  map.high = largest;
  figure.description = fmt::format(
      "The {} irreducible characters of {} on its conjugacy classes, named by the order of their "
      "elements. Red: positive real part, blue: negative, white: zero.",
      table.count(), group.name());
  Svg svg;
  const double width = std::min(kFigureWidth * 1.4,
                                std::max(360.0, 64.0 * static_cast<double>(table.count()) + 140));
  const double height = heat_map_height(map, width - 16);
  draw_heat_map(svg, {8, 6, width - 16, height}, map);
  return finish(std::move(figure), svg, width, height + 10);
}

const FigureKind kRunGroupFigure = {"characters", "Characters of the runs' group",
                                    "a run whose data.group this version knows", offer_group,
                                    make_run_group};

}  // namespace algprior::report
