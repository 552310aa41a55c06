#pragma once

#include "algprior/action/action.hpp"
#include "algprior/data/dataset.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace algprior {

/// How C4 acts on velocities.
enum class VectorSign {
  physical,   ///< a turned field points where it moves: one quarter turn is (u_y, −u_x)
  published,  ///< departure D-3: the negative of it for odd turns, (−u_y, u_x)
};

/// C4 on N×(2·frames)×H×W, x and y of frame 0, x and y of frame 1, …: the grid turns and the
/// components with it. Exact.
Action velocity_action(const Group& c4, VectorSign sign = VectorSign::physical);

/// Windows of simulations: `past` frames as x (N×(2·past)×H×W, frame-major), the `future` frames
/// after them as y.
struct FlowWindows {
  std::vector<std::size_t> simulations;  ///< their numbers among the frames, in order
  std::int64_t first = 0, last = 0;      ///< offsets first … last−1, every `stride`-th
  std::int64_t stride = 1;
  std::int64_t past = 10, future = 6;
  std::int64_t skip = 2;  ///< frames before offset 0
};

/// `frames` is float32 simulations×frames×2×H×W. Partners under `action`, g uniform. Throws
/// InputError when a window leaves the simulation.
Dataset make_flow_windows(std::string name, at::Tensor frames, const FlowWindows& windows,
                          const Action& action);

/// x without its oldest frame and with `output` behind its newest.
at::Tensor advance_frames(const at::Tensor& x, const at::Tensor& output);
/// Frame i of y, N×2×H×W.
at::Tensor flow_frame(const at::Tensor& y, std::int64_t frame);

}  // namespace algprior
