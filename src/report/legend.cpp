#include "algprior/report/chart.hpp"

#include <functional>

namespace algprior::report {
namespace {

constexpr double kSample = 26, kGap = 18, kRow = 18;

double entry_width(const LegendEntry& entry) {
  return kSample + 6 + text_width(entry.name, 11) + kGap;
}

// Calls `place` with each entry and where it stands; returns the height of all rows.
double flow(const std::vector<LegendEntry>& entries, double width,
            const std::function<void(const LegendEntry&, double x, double y)>& place) {
  double x = 0, y = 0;
  for (const LegendEntry& entry : entries) {
    const double needed = entry_width(entry);
    if (x > 0 && x + needed > width + kGap) {
      x = 0;
      y += kRow;
    }
    place(entry, x, y);
    x += needed;
  }
  return entries.empty() ? 0 : y + kRow;
}

}  // namespace

double legend_height(const std::vector<LegendEntry>& entries, double width) {
  return flow(entries, width, [](const LegendEntry&, double, double) {});
}

void draw_legend(Svg& svg, const Box& box, const std::vector<LegendEntry>& entries) {
  flow(entries, box.width, [&](const LegendEntry& entry, double x, double y) {
    const Point at{box.x + x, box.y + y + 9};
    if (entry.kind == LegendEntry::Kind::kLine) {
      svg.line(at, {at.x + kSample, at.y}, stroke_class(entry.style), dash_of(entry.style));
    } else if (entry.kind == LegendEntry::Kind::kMark) {
      svg.mark({at.x + kSample / 2, at.y}, 4, entry.style);
    } else {
      svg.rect({at.x + 8, at.y - 6, kSample - 8, 12}, fill_class(entry.style));
    }
    svg.text({at.x + kSample + 6, at.y + 4}, entry.name, "tx");
  });
}

}  // namespace algprior::report
