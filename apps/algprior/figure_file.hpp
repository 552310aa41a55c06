#pragma once

#include "algprior/report/figure.hpp"
#include "program.hpp"

#include <string>

namespace algprior {

/// Where a figure goes: the ending of the file decides between SVG and PNG.
struct FigureFile {
  std::string path;
  std::string theme = "light";
  double scale = 2;  ///< pixels of a PNG for each unit of the drawing
};

/// -o, --theme and --scale.
void add_figure_options(CLI::App& command, std::string& path, std::string& theme, double& scale);

/// Throws InputError for another ending than .svg and .png.
void write_figure(const report::Figure& figure, const FigureFile& file, Context& context);

}  // namespace algprior
