#pragma once

#include "algprior/report/axis.hpp"
#include "algprior/report/svg.hpp"

#include <string>

namespace algprior::report {

/// The rectangle inside the axes, and the axes themselves in its pixels.
struct Frame {
  Box inside;
  Axis x, y;
};

/// Room for the ticks' texts, the labels and the title is taken from the box.
Frame lay_out(const Box& box, Axis x, Axis y, const std::string& title, bool categories = false);

/// Grid, ticks, labels and title. With `x_ticks` false the caller writes what stands below.
void draw_frame(Svg& svg, const Frame& frame, const std::string& title, bool x_ticks = true);

}  // namespace algprior::report
