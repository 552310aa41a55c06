#include "algprior/report/svg.hpp"

#include "algprior/report/markup.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace algprior::report {
namespace {

// Dashes tell series apart in print and for people who do not see the colours.
constexpr std::array<std::string_view, 5> kDashes = {"", "7 3", "2 2.5", "9 3 2 3", "4 2"};

std::string at(Point p) {
  return coordinate(p.x) + "," + coordinate(p.y);
}

std::string class_attribute(std::string_view cls) {
  return cls.empty() ? "" : fmt::format(" class=\"{}\"", cls);
}

std::string dash_attribute(std::string_view dash) {
  return dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash);
}

std::string corners(Point centre, double radius, int count, double turn) {
  std::string commands;
  for (int k = 0; k < count; ++k) {
    const double angle = turn + 2 * std::numbers::pi * k / count;
    commands += (k == 0 ? "M" : "L") +
                at({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return commands + "Z";
}

}  // namespace

std::string stroke_class(std::size_t series) {
  return "s" + std::to_string(series % kSeriesColours);
}

std::string fill_class(std::size_t series) {
  return "f" + std::to_string(series % kSeriesColours);
}

std::string band_class(std::size_t series) {
  return "b" + std::to_string(series % kSeriesColours);
}

std::string_view dash_of(std::size_t series) {
  return kDashes[(series + series / kSeriesColours) % kDashes.size()];
}

std::string coordinate(double value) {
  const double tenths = std::round(value * 10);
  if (!std::isfinite(tenths) || std::abs(tenths) > 1e9) return "0";
  const auto whole = static_cast<long long>(tenths);
  std::string text = fmt::format("{}{}", whole < 0 ? "-" : "", std::abs(whole / 10));
  if (whole % 10 != 0) text += fmt::format(".{}", std::abs(whole % 10));
  return text;
}

double text_width(std::string_view text, double size) {
  double ems = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // inside a character
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("⁻") || rest.starts_with("¹") || rest.starts_with("²") ||
        rest.starts_with("³") || rest.starts_with("\xE2\x81")) {
      ems += 0.40;  // raised digits are small
      continue;
    }
    if (std::string_view("iljt.,:;|'!()[]{} If/").find(c) != std::string_view::npos) {
      ems += 0.36;
    } else if (std::string_view("mwMW@%").find(c) != std::string_view::npos) {
      ems += 0.92;
    } else {
      ems += c >= 'A' && c <= 'Z' ? 0.70 : 0.60;
    }
  }
  return ems * size;
}

void Svg::line(Point from, Point to, std::string_view cls, std::string_view dash) {
  body_ += fmt::format("<line{} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>", class_attribute(cls),
                       coordinate(from.x), coordinate(from.y), coordinate(to.x), coordinate(to.y),
                       dash_attribute(dash));
}

void Svg::rect(const Box& box, std::string_view cls, std::string_view colour) {
  body_ += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>",
                       class_attribute(cls), coordinate(box.x), coordinate(box.y),
                       coordinate(box.width), coordinate(box.height),
                       colour.empty() ? "" : fmt::format(" fill=\"{}\"", colour));
}

void Svg::circle(Point centre, double radius, std::string_view cls) {
  body_ += fmt::format("<circle{} cx=\"{}\" cy=\"{}\" r=\"{}\"/>", class_attribute(cls),
                       coordinate(centre.x), coordinate(centre.y), coordinate(radius));
}

void Svg::mark(Point centre, double size, std::size_t series) {
  constexpr double kUp = -std::numbers::pi / 2;
  const std::string cls = fill_class(series) + " mk";
  switch ((series + series / kSeriesColours) % 5) {
    case 0:
      circle(centre, size, cls);
      break;
    case 1:
      path(corners(centre, size * 1.25, 4, std::numbers::pi / 4), cls);
      break;
    case 2:
      path(corners(centre, size * 1.35, 3, kUp), cls);
      break;
    case 3:
      path(corners(centre, size * 1.35, 4, 0), cls);
      break;
    default:
      path(corners(centre, size * 1.35, 3, -kUp), cls);
  }
}

void Svg::polyline(const std::vector<Point>& points, std::string_view cls, std::string_view dash) {
  std::string commands, dots;
  for (std::size_t i = 0; i < points.size();) {
    if (!std::isfinite(points[i].y) || !std::isfinite(points[i].x)) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < points.size() && std::isfinite(points[end].y) && std::isfinite(points[end].x)) {
      ++end;
    }
    // A line of length zero with round caps is a dot of the line's own width, and then some.
    if (end == i + 1) dots += fmt::format("M{}h0", at(points[i]));
    for (std::size_t k = i; k < end && end > i + 1; ++k) {
      commands += fmt::format("{}{}", k == i ? "M" : k == i + 1 ? "L" : " ", at(points[k]));
    }
    i = end;
  }
  if (!commands.empty()) path(commands, cls, dash_attribute(dash));
  if (!dots.empty()) path(dots, std::string(cls) + " dot");
}

void Svg::polygon(const std::vector<Point>& points, std::string_view cls) {
  std::string commands;
  for (const Point& p : points) commands += (commands.empty() ? "M" : " ") + at(p);
  if (!commands.empty()) path(commands + "Z", cls);
}

void Svg::path(std::string_view commands, std::string_view cls, std::string_view attributes) {
  body_ += fmt::format("<path{} d=\"{}\"{}/>", class_attribute(cls), commands, attributes);
}

void Svg::text(Point where, std::string_view text, std::string_view cls, Anchor anchor,
               double turn) {
  constexpr std::array<std::string_view, 3> kAnchors = {"", " text-anchor=\"middle\"",
                                                        " text-anchor=\"end\""};
  body_ += fmt::format("<text{} x=\"{}\" y=\"{}\"{}{}>{}</text>", class_attribute(cls),
                       coordinate(where.x), coordinate(where.y),
                       kAnchors[static_cast<std::size_t>(anchor)],
                       turn == 0 ? ""
                                 : fmt::format(" transform=\"rotate({} {} {})\"", coordinate(turn),
                                               coordinate(where.x), coordinate(where.y)),
                       escape(text));
}

void Svg::image(const Box& box, std::string_view png) {
  body_ += fmt::format(
      "<image class=\"px\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
      "preserveAspectRatio=\"none\" href=\"data:image/png;base64,{}\"/>",
      coordinate(box.x), coordinate(box.y), coordinate(box.width), coordinate(box.height),
      to_base64(png));
}

void Svg::open(std::string_view attributes) {
  body_ += attributes.empty() ? std::string("<g>") : fmt::format("<g {}>", attributes);
}

void Svg::close() {
  body_ += "</g>";
}

}  // namespace algprior::report
