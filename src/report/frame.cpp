#include "frame.hpp"

#include <algorithm>

namespace algprior::report {
namespace {

constexpr double kTitle = 22, kTickText = 18, kLabel = 17;

int y_tick_count(double height) {
  return std::clamp(static_cast<int>(height / 32), 3, 8);
}

int x_tick_count(double width) {
  return std::clamp(static_cast<int>(width / 70), 2, 10);
}

}  // namespace

Frame lay_out(const Box& box, Axis x, Axis y, const std::string& title, bool categories) {
  double widest = 0;
  const double height = box.height - (title.empty() ? 6 : kTitle) - kTickText - kLabel;
  for (const Tick& tick : make_ticks(y, y_tick_count(height))) {
    widest = std::max(widest, text_width(tick.text, 11));
  }
  Frame frame;
  frame.inside.x = box.x + widest + 9 + (y.label.empty() ? 0 : kLabel);
  frame.inside.y = box.y + (title.empty() ? 6 : kTitle);
  frame.inside.width = box.right() - frame.inside.x - (categories ? 4 : 14);
  frame.inside.height = box.bottom() - frame.inside.y - kTickText - (x.label.empty() ? 0 : kLabel);
  frame.x = std::move(x);
  frame.y = std::move(y);
  frame.x.start = frame.inside.x;
  frame.x.end = frame.inside.right();
  frame.y.start = frame.inside.bottom();
  frame.y.end = frame.inside.y;
  return frame;
}

void draw_frame(Svg& svg, const Frame& frame, const std::string& title, bool x_ticks) {
  const Box& in = frame.inside;
  for (const Tick& tick : make_ticks(frame.y, y_tick_count(in.height))) {
    const double y = frame.y.to_pixel(tick.value);
    svg.line({in.x, y}, {in.right(), y}, "gr");
    svg.text({in.x - 6, y + 4}, tick.text, "tm", Anchor::kEnd);
  }
  if (x_ticks) {
    svg.open("class=\"xt\"");
    for (const Tick& tick : make_ticks(frame.x, x_tick_count(in.width))) {
      const double x = frame.x.to_pixel(tick.value);
      svg.line({x, in.bottom()}, {x, in.bottom() + 4}, "ax");
      svg.text({x, in.bottom() + 16}, tick.text, "tm", Anchor::kMiddle);
    }
    svg.close();
  }
  svg.line({in.x, in.bottom()}, {in.right(), in.bottom()}, "ax");
  svg.line({in.x, in.y}, {in.x, in.bottom()}, "ax");
  if (!title.empty()) svg.text({in.x, in.y - 9}, title, "tt");
  if (!frame.x.label.empty()) {
    svg.text({in.x + in.width / 2, in.bottom() + 33}, frame.x.label, "tx", Anchor::kMiddle);
  }
  if (!frame.y.label.empty()) {
    double widest = 0;
    for (const Tick& tick : make_ticks(frame.y, y_tick_count(in.height))) {
      widest = std::max(widest, text_width(tick.text, 11));
    }
    svg.text({in.x - widest - 14, in.y + in.height / 2}, frame.y.label, "tx", Anchor::kMiddle, -90);
  }
}

}  // namespace algprior::report
