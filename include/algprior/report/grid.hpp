#pragma once

#include "algprior/report/png.hpp"
#include "algprior/report/svg.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace algprior::report {

/// Coloured cells with names at rows and columns and a scale beside them.
struct HeatMap {
  std::string title;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values;  ///< [row][column]; NaN where there is none
  std::vector<std::vector<std::string>> texts =
      {};  ///< in the cells; empty: the numbers, if they fit
  ColourScale scale = ColourScale::kMagnitude;
  double low = 0, high = 1;
  std::string scale_label = {};
  std::vector<std::size_t> breaks = {};  ///< a wider line before these columns
};

double heat_map_height(const HeatMap& map, double width);
void draw_heat_map(Svg& svg, const Box& box, const HeatMap& map);

/// Pictures in rows and columns, each with a name.
struct ImageGrid {
  std::string title;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<Picture>> pictures;  ///< [row][column]; an empty picture leaves a gap
};

double image_grid_height(const ImageGrid& grid, double width);
void draw_image_grid(Svg& svg, const Box& box, const ImageGrid& grid);

}  // namespace algprior::report
