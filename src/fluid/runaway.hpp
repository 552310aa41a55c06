#pragma once

#include "algprior/base/error.hpp"
#include "algprior/fluid/state.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace algprior::fluid {

[[noreturn]] inline void throw_runaway(const std::string& what, const Flow& flow, int step) {
  throw DivergedError({what + " at step " + std::to_string(step), to_text(flow),
                       "finite numbers, and speeds that the box can hold",
                       "take a smaller force, inflow or time step"});
}

/// Throws DivergedError when a number of the state is not finite.
template <class Real>
void refuse_runaway(const State<Real>& state, const Flow& flow, int step) {
  for (const auto* field : {&state.smoke, &state.u, &state.v}) {
    const bool finite =
        std::all_of(field->begin(), field->end(), [](Real value) { return std::isfinite(value); });
    if (!finite) throw_runaway("a simulation left the finite numbers", flow, step);
  }
}

template <class Real>
void refuse_other_grid(const Flow& flow, const State<Real>& state) {
  const Grid& grid = state.grid;
  if (flow.grid == grid) return check_sizes(state);
  throw InputError({"a fluid's state has another grid than its flow",
                    std::to_string(grid.width) + " x " + std::to_string(grid.height) + " cells",
                    to_text(flow), "make the state with resting_state(flow.grid)"});
}

}  // namespace algprior::fluid
