#include "algprior/report/figure.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace algprior::report {
namespace {

// In the order of the page.
const std::vector<const FigureKind*>& kinds() {
  static const std::vector<const FigureKind*> all = {
      &kTableFigures,  &kLambdaFigure,     &kAllCurvesFigure,       &kCurveFigures,
      &kProbeFigure,   &kEigenvalueFigure, &kEigenvalueCountFigure, &kMultiplicityFigure,
      &kElementFigure, &kMotionFigure,     &kSpreadFigure,          &kTheoremFigure,
      &kOrbitFigure,   &kRolloutFigure,    &kRunGroupFigure};
  return all;
}

}  // namespace

std::string to_svg(const Figure& figure, Theme theme) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"t d\">\n<title id=\"t\">{2}</title>\n"
      "<desc id=\"d\">{3}</desc>\n<style>{4}</style>\n"
      "<rect class=\"bg\" width=\"{0}\" height=\"{1}\"/>\n{5}\n</svg>\n",
      coordinate(figure.width), coordinate(figure.height), escape(figure.title),
      escape(figure.description), svg_style(theme), figure.body);
}

std::vector<FigureOffer> list_figures(const RunSet& set) {
  std::vector<FigureOffer> offered, missing;
  for (const FigureKind* kind : kinds()) {
    const auto names = kind->offers(set);
    for (const auto& [name, title] : names) offered.push_back({name, title, ""});
    if (names.empty()) {
      missing.push_back(
          {std::string(kind->name), std::string(kind->title), std::string(kind->needs)});
    }
  }
  offered.insert(offered.end(), missing.begin(), missing.end());
  return offered;
}

Figure make_figure(std::string_view name, const RunSet& set) {
  std::vector<std::string> names;
  for (const FigureKind* kind : kinds()) {
    for (const auto& [offer, title] : kind->offers(set)) {
      if (offer == name) {
        Figure figure = kind->make(name, set);
        figure.name = offer;
        if (figure.title.empty()) figure.title = title;
        return figure;
      }
      names.push_back(offer);
    }
  }
  for (const FigureKind* kind : kinds()) {
    if (kind->name != name) continue;
    throw InputError({"these runs cannot fill the figure", std::string(name),
                      std::string(kind->needs),
                      "algprior plot RUN... --list shows what they offer"});
  }
  std::string next = did_you_mean(name, names);
  if (next.empty()) next = "algprior plot RUN... --list names the figures";
  throw InputError({"there is no figure of this name", std::string(name), "", next});
}

Figure finish(Figure figure, const Svg& svg, double width, double height) {
  figure.width = std::ceil(width);
  figure.height = std::ceil(height);
  figure.body = svg.body();
  return figure;
}

Figure chart_figure(Figure figure, const Chart& chart, const std::vector<LegendEntry>& legend,
                    double height) {
  Svg svg;
  const double below = legend_height(legend, kFigureWidth - 24);
  draw_chart(svg, {8, 6, kFigureWidth - 16, height}, chart);
  draw_legend(svg, {12, height + 12, kFigureWidth - 24, below}, legend);
  return finish(std::move(figure), svg, kFigureWidth, height + 14 + (below > 0 ? below + 6 : 0));
}

std::string group_label(const RunGroup& group, bool with_experiment) {
  return with_experiment ? group.experiment + "/" + group.row : group.row;
}

bool several_experiments(const RunSet& set) {
  return std::any_of(set.runs.begin(), set.runs.end(),
                     [&](const Run& run) { return run.experiment != set.runs.front().experiment; });
}

const Run* first_with(const RunSet& set, const std::string& file) {
  const auto found =
      std::find_if(set.runs.begin(), set.runs.end(), [&](const Run& run) { return run.has(file); });
  return found == set.runs.end() ? nullptr : &*found;
}

std::vector<std::pair<std::string, std::string>> offer_file(const RunSet& set, const char* file,
                                                            const FigureKind& kind) {
  if (first_with(set, file) == nullptr) return {};
  return {{std::string(kind.name), std::string(kind.title)}};
}

std::string count_text(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string element_name(const Group& group, Element g) {
  constexpr std::array<std::string_view, 10> kRaised = {"⁰", "¹", "²", "³", "⁴",
                                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
  const auto& names = group.generator_names();
  const bool letters = std::all_of(names.begin(), names.end(),
                                   [](const std::string& name) { return name.size() == 1; });
  std::string text;
  bool power = false;
  for (const char c : algprior::to_string(group.word(g), names)) {
    if (c == '^') {
      power = true;
    } else if (c == '*') {
      power = false;
      if (!letters) text += "·";
    } else if (power && c == '-') {
      text += "⁻";
    } else if (power && c >= '0' && c <= '9') {
      text += kRaised[static_cast<std::size_t>(c - '0')];
    } else {
      power = false;
      text += c;
    }
  }
  return text;
}

std::vector<Element> cayley_order(const Group& group, std::vector<std::size_t>* breaks) {
  std::vector<Element> order;
  std::vector<bool> seen(group.order(), false);
  const bool plain = group.generators().empty();
  for (Element g = 0; g < group.order(); ++g) {
    if (seen[g]) continue;
    if (breaks != nullptr && !order.empty() && !plain) breaks->push_back(order.size());
    for (Element h = g; !seen[h]; h = plain ? h : group.multiply(h, group.generators()[0])) {
      seen[h] = true;
      order.push_back(h);
    }
  }
  return order;
}

}  // namespace algprior::report
