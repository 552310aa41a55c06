#include "algprior/report/grid.hpp"

#include "algprior/report/markup.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::report {
namespace {

constexpr double kTitleHeight = 24, kScaleWidth = 74, kLargestCell = 64, kBreak = 6;

struct GridLayout {
  Box cells;
  double width = 0, height = 0;  // of one cell
  bool turned = false;           // names of columns stand upright
};

double widest_name(const std::vector<std::string>& names) {
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, text_width(name, 11));
  return widest;
}

double at_least_one(std::size_t count) {
  return static_cast<double>(std::max<std::size_t>(1, count));
}

GridLayout lay_out_map(const HeatMap& map, double width) {
  GridLayout layout;
  const double left = std::min(widest_name(map.rows) + 8, width * 0.4);
  const double breaks = kBreak * static_cast<double>(map.breaks.size());
  layout.width = std::min((width - left - kScaleWidth - breaks) / at_least_one(map.columns.size()),
                          kLargestCell);
  layout.height = std::clamp(layout.width * 0.6, 16.0, 30.0);
  const double names = widest_name(map.columns);
  layout.turned = names > layout.width - 4;
  layout.cells = {left, kTitleHeight + (layout.turned ? names + 10 : 20),
                  layout.width * static_cast<double>(map.columns.size()) + breaks,
                  layout.height * static_cast<double>(map.rows.size())};
  return layout;
}

void draw_scale(Svg& svg, const Box& cells, const HeatMap& map) {
  const double x = cells.right() + 14, height = std::max(48.0, cells.height);
  constexpr int kSteps = 24;
  for (int i = 0; i < kSteps; ++i) {
    const double step = height / kSteps;
    svg.rect({x, cells.y + height - step * (i + 1), 10, step + 0.3}, "",
             hex_colour(map.scale, (i + 0.5) / kSteps));
  }
  svg.text({x + 14, cells.y + 9}, number_text(map.high, 3), "tm");
  svg.text({x + 14, cells.y + height}, number_text(map.low, 3), "tm");
  if (!map.scale_label.empty()) {
    svg.text({x + 26, cells.y + height / 2}, map.scale_label, "tm", Anchor::kMiddle, -90);
  }
}

std::string cell_text(const HeatMap& map, std::size_t row, std::size_t column) {
  if (!map.texts.empty()) return map.texts[row][column];
  const double value = map.values[row][column];
  return std::isfinite(value) ? number_text(value, 2) : "–";
}

}  // namespace

double heat_map_height(const HeatMap& map, double width) {
  const GridLayout layout = lay_out_map(map, width);
  return layout.cells.y + std::max(52.0, layout.cells.height) + 8;
}

void draw_heat_map(Svg& svg, const Box& box, const HeatMap& map) {
  GridLayout layout = lay_out_map(map, box.width);
  layout.cells.x += box.x;
  layout.cells.y += box.y;
  if (!map.title.empty()) svg.text({box.x, box.y + 14}, map.title, "tt");
  const auto column_at = [&](std::size_t c) {
    const auto before =
        std::count_if(map.breaks.begin(), map.breaks.end(), [&](std::size_t b) { return b <= c; });
    return layout.cells.x + layout.width * static_cast<double>(c) +
           kBreak * static_cast<double>(before);
  };
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    const double middle = column_at(c) + layout.width / 2;
    if (layout.turned) {
      if (layout.width >= 9) {
        svg.text({middle + 4, layout.cells.y - 5}, map.columns[c], "tm", Anchor::kStart, -90);
      }
    } else {
      svg.text({middle, layout.cells.y - 6}, map.columns[c], "tm", Anchor::kMiddle);
    }
  }
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const double y = layout.cells.y + layout.height * static_cast<double>(r);
    svg.text({layout.cells.x - 6, y + layout.height / 2 + 4}, map.rows[r], "tx", Anchor::kEnd);
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const double share = (map.values[r][c] - map.low) / (map.high - map.low);
      svg.rect({column_at(c), y, layout.width - 1, layout.height - 1}, "cell",
               hex_colour(map.scale, share));
      const std::string text = cell_text(map, r, c);
      if (text.empty() || text_width(text, 10) > layout.width - 3) continue;
      svg.raw(fmt::format(
          "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\" "
          "font-family=\"DejaVu Sans,Verdana,sans-serif\" fill=\"{}\">{}</text>",
          coordinate(column_at(c) + (layout.width - 1) / 2), coordinate(y + layout.height / 2 + 3),
          is_bright(map.scale, share) ? "#111111" : "#ffffff", escape(text)));
    }
  }
  draw_scale(svg, layout.cells, map);
}

double image_grid_height(const ImageGrid& grid, double width) {
  const double left = widest_name(grid.rows) + 10;
  const double cell = std::min((width - left) / at_least_one(grid.columns.size()), 96.0);
  return kTitleHeight + 20 + cell * static_cast<double>(grid.rows.size()) + 4;
}

void draw_image_grid(Svg& svg, const Box& box, const ImageGrid& grid) {
  const double left = widest_name(grid.rows) + 10;
  const double cell = std::min((box.width - left) / at_least_one(grid.columns.size()), 96.0);
  if (!grid.title.empty()) svg.text({box.x, box.y + 14}, grid.title, "tt");
  const double top = box.y + kTitleHeight + 20;
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    svg.text({box.x + left + cell * (static_cast<double>(c) + 0.5), top - 7}, grid.columns[c], "tm",
             Anchor::kMiddle);
  }
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    const double y = top + cell * static_cast<double>(r);
    svg.text({box.x + left - 8, y + cell / 2 + 4}, grid.rows[r], "tx", Anchor::kEnd);
    for (std::size_t c = 0; c < grid.pictures[r].size(); ++c) {
      const Picture& picture = grid.pictures[r][c];
      if (picture.rgb.empty()) continue;
      svg.image({box.x + left + cell * static_cast<double>(c) + 1, y + 1, cell - 2, cell - 2},
                to_png(picture));
    }
  }
}

}  // namespace algprior::report
