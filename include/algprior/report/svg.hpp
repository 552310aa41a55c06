#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::report {

struct Point {
  double x = 0;
  double y = 0;  ///< NaN: a gap
};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class Anchor { kStart, kMiddle, kEnd };

/// Colours and dashes by which series differ; what follows the last repeats with other dashes.
inline constexpr std::size_t kSeriesColours = 8;

/// The class of a series' lines ("s3"), of its areas and marks ("f3"), of its band ("b3"). Further
/// classes: ax (axis), gr (grid), tx (text), tm (muted text), tt (title), bg (background).
std::string stroke_class(std::size_t series);
std::string fill_class(std::size_t series);
std::string band_class(std::size_t series);
/// The dash pattern of a series; "" for a solid line. (colour, dash) differ among the first 40.
std::string_view dash_of(std::size_t series);

/// Marks of SVG in the order in which they were drawn. Coordinates are rounded to a tenth of a
/// pixel and written in one form, so that the same drawing gives the same bytes on any machine.
/// Colours are classes: the body is the same in light and dark, and a page's style colours it.
class Svg {
 public:
  void line(Point from, Point to, std::string_view cls, std::string_view dash = {});
  void rect(const Box& box, std::string_view cls, std::string_view colour = {});
  void circle(Point centre, double radius, std::string_view cls);
  /// A mark of a shape of its own for each series: circle, square, triangle, diamond, cross, …
  void mark(Point centre, double size, std::size_t series);
  /// Broken at gaps; a point between gaps becomes a dot.
  void polyline(const std::vector<Point>& points, std::string_view cls, std::string_view dash = {});
  void polygon(const std::vector<Point>& points, std::string_view cls);
  void path(std::string_view commands, std::string_view cls, std::string_view attributes = {});
  void text(Point at, std::string_view text, std::string_view cls, Anchor anchor = Anchor::kStart,
            double turn = 0);
  /// PNG bytes, stretched to the box without smoothing.
  void image(const Box& box, std::string_view png);
  /// `attributes` are written as they are: the caller escapes what is not its own.
  void open(std::string_view attributes);
  void close();
  void raw(std::string_view markup) { body_ += markup; }

  const std::string& body() const { return body_; }

 private:
  std::string body_;
};

/// "12.5": at most one decimal, no trailing zeros.
std::string coordinate(double value);

/// The width of text in the page's font as far as layout needs it: an estimate from character
/// classes, equal on all machines.
double text_width(std::string_view text, double size = 12);

enum class Theme { kLight, kDark };

/// The style of the classes above with the colours of a theme, for an SVG file of its own.
std::string svg_style(Theme theme);
/// The same with CSS variables, and the variables of both themes, for a page that switches.
std::string page_colours();

}  // namespace algprior::report
