#pragma once

#include "algprior/fluid/flow.hpp"

#include <vector>

namespace algprior::fluid {

/// Smoke and velocity on a staggered grid (Harlow and Welch): smoke at the centres of cells, the
/// x-velocity u at the middle of faces x = const, the y-velocity v at the middle of faces y =
/// const, walls included, where they are 0. y runs fastest.
template <class Real>
struct State {
  Grid grid;
  std::vector<Real> smoke;  ///< [width][height]
  std::vector<Real> u;      ///< [width + 1][height]
  std::vector<Real> v;      ///< [width][height + 1]

  std::size_t smoke_at(int x, int y) const { return index(x, y, grid.height); }
  std::size_t u_at(int x, int y) const { return index(x, y, grid.height); }
  std::size_t v_at(int x, int y) const { return index(x, y, grid.height + 1); }
  friend bool operator==(const State&, const State&) = default;

 private:
  static std::size_t index(int x, int y, int column) {
    return static_cast<std::size_t>(x) * column + y;
  }
};

/// No smoke, no motion. Throws InputError for a grid that cannot be.
template <class Real>
State<Real> resting_state(const Grid& grid);

/// Throws InputError unless the arrays have the grid's sizes, every number is finite and the walls
/// stand still.
template <class Real>
void check(const State<Real>& state);

/// Throws InputError unless the arrays have the grid's sizes. What is below and takes a state asks
/// for this.
template <class Real>
void check_sizes(const State<Real>& state);

/// ∇·u a cell, flattened as the smoke.
template <class Real>
std::vector<double> divergence(const State<Real>& state);

/// ½ Σ u² + ½ Σ v² over faces.
template <class Real>
double kinetic_energy(const State<Real>& state);

template <class Real>
double smoke_mass(const State<Real>& state);

/// The state turned by `quarters` quarter turns, a point (x, y) going to (y, width − x): fields and
/// components both, faces to faces, so that no value is interpolated. On frames [component, row y,
/// column x] this is rot90 with the physical sign. A simulation of turned() from turned() is the
/// simulation, turned.
template <class Real>
State<Real> turned(const State<Real>& state, int quarters);
Flow turned(const Flow& flow, int quarters);

}  // namespace algprior::fluid
