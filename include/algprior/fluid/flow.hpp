#pragma once

#include <string>
#include <vector>

namespace algprior::fluid {

/// A closed box of width × height unit cells; cell (x, y) covers [x, x+1] × [y, y+1].
struct Grid {
  int width = 64;
  int height = 64;

  int cells() const { return width * height; }
  friend bool operator==(const Grid&, const Grid&) = default;
};

/// Smoke added in every step to the cells whose centres lie within `radius` of (x, y).
struct Inflow {
  double x = 0.0;
  double y = 0.0;
  double radius = 0.0;
  double rate = 1.0;  ///< smoke a cell and unit of time

  friend bool operator==(const Inflow&, const Inflow&) = default;
};

/// What a velocity finds beyond a wall. The normal component is 0 at the wall either way.
enum class Walls {
  kStick,  ///< nothing moves there: the published generator's rule
  kSlip    ///< the nearest tangential velocity: a fluid without friction at the wall
};

/// A two-dimensional incompressible fluid without viscosity, which carries smoke s, and which the
/// smoke pushes: ∂u/∂t + (u·∇)u = −∇p + s·F, ∇·u = 0, ∂s/∂t + u·∇s = inflow.
struct Flow {
  Grid grid;
  std::vector<Inflow> inflows;
  double force_x = 0.0;  ///< F
  double force_y = 0.0;
  double time_step = 1.0;
  Walls walls = Walls::kStick;

  friend bool operator==(const Flow&, const Flow&) = default;
};

/// Throws InputError for a grid below 4 × 4 or above 4096 × 4096.
void check(const Grid& grid);

/// Throws InputError naming the setting: a grid below 4 × 4 or above 4096 × 4096, an inflow that
/// reaches no cell or whose centre is outside the box, a number that is not finite, a time step
/// that is not positive.
void check(const Flow& flow);

/// "64x64 cells, force (0, 0.01), inflow at (32, 5) of radius 5": what errors say of a simulation.
std::string to_text(const Flow& flow);

/// The sum of all inflows in one step, a number a cell, flattened as State::smoke. Cost O(cells ·
/// inflows).
std::vector<double> inflow_field(const Flow& flow);

}  // namespace algprior::fluid
