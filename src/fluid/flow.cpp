#include "algprior/fluid/flow.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::fluid {
namespace {

constexpr int kSmallestSide = 4;
constexpr int kLargestSide = 4096;

void require(bool holds, const std::string& where, const std::string& expected,
             const std::string& next) {
  if (!holds) throw InputError({"this fluid cannot be simulated", where, expected, next});
}

void require_finite(double value, const char* name) {
  require(std::isfinite(value), fmt::format("{} = {}", name, value), "a finite number", "");
}

bool reaches(const Inflow& inflow, int x, int y) {
  const double dx = x + 0.5 - inflow.x;
  const double dy = y + 0.5 - inflow.y;
  return dx * dx + dy * dy <= inflow.radius * inflow.radius;
}

void check_inflow(const Inflow& inflow, const Grid& grid) {
  for (const double value : {inflow.x, inflow.y, inflow.radius, inflow.rate}) {
    require_finite(value, "a number of an inflow");
  }
  const std::string where =
      fmt::format("inflow at ({}, {}) of radius {}", inflow.x, inflow.y, inflow.radius);
  require(inflow.x >= 0 && inflow.x <= grid.width && inflow.y >= 0 && inflow.y <= grid.height,
          where, fmt::format("a centre in the box [0, {}] x [0, {}]", grid.width, grid.height),
          "move the inflow, or take a larger grid");
  bool found = false;
  for (int x = 0; x < grid.width && !found; ++x) {
    for (int y = 0; y < grid.height && !found; ++y) found = reaches(inflow, x, y);
  }
  require(found, where, "a radius that reaches the centre of at least one cell",
          "take a radius of at least 0.71");
}

}  // namespace

void check(const Grid& grid) {
  require(std::min(grid.width, grid.height) >= kSmallestSide &&
              std::max(grid.width, grid.height) <= kLargestSide,
          fmt::format("a grid of {} x {} cells", grid.width, grid.height),
          fmt::format("from {0} x {0} to {1} x {1}", kSmallestSide, kLargestSide), "");
}

void check(const Flow& flow) {
  const Grid& grid = flow.grid;
  check(grid);
  require_finite(flow.force_x, "force_x");
  require_finite(flow.force_y, "force_y");
  require(std::isfinite(flow.time_step) && flow.time_step > 0,
          fmt::format("time_step = {}", flow.time_step), "a positive number", "take 1");
  for (const Inflow& inflow : flow.inflows) check_inflow(inflow, grid);
}

std::string to_text(const Flow& flow) {
  std::string text = fmt::format("{}x{} cells, force ({}, {})", flow.grid.width, flow.grid.height,
                                 flow.force_x, flow.force_y);
  for (const Inflow& inflow : flow.inflows) {
    text += fmt::format(", inflow at ({}, {}) of radius {}", inflow.x, inflow.y, inflow.radius);
  }
  if (flow.time_step != 1.0) text += fmt::format(", time step {}", flow.time_step);
  return text;
}

std::vector<double> inflow_field(const Flow& flow) {
  check(flow);
  const Grid& grid = flow.grid;
  std::vector<double> field(static_cast<std::size_t>(grid.cells()), 0.0);
  for (const Inflow& inflow : flow.inflows) {
    for (int x = 0; x < grid.width; ++x) {
      for (int y = 0; y < grid.height; ++y) {
        if (reaches(inflow, x, y)) field[x * grid.height + y] += inflow.rate * flow.time_step;
      }
    }
  }
  return field;
}

}  // namespace algprior::fluid
