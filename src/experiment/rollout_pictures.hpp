#pragma once

#include "rollouts.hpp"

namespace algprior {

/// |u| at the centres of the cells, N×H×W, of velocities N×2×H×W on the lower faces of the cells of
/// a closed box; rows grow with y.
at::Tensor flow_speed(const at::Tensor& velocity);
/// ∂v/∂x − ∂u/∂y at the lower corners of the cells, N×H×W; 0 on the walls.
at::Tensor flow_vorticity(const at::Tensor& velocity);

/// Rolls out the first window of the data: rollout.npz with `truth` and `prediction`, the speeds
/// T×H×W with y upwards, which the figure `rollout` draws; rollout_speed.png and
/// rollout_vorticity.png with truth, prediction and error below each other, one column for each of
/// some frames.
void write_rollout(const std::filesystem::path& folder, const Predict& predict, const Dataset& data,
                   const RandomKey& key, std::int64_t frames);

}  // namespace algprior
