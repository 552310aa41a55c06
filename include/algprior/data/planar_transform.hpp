#pragma once

#include "algprior/group/group.hpp"

#include <functional>

#include <ATen/core/Tensor.h>

namespace algprior {

/// How an element of a planar group is carried out on an image.
enum class TurnMode {
  direct,          ///< exact where the group allows it, else one bilinear resampling
  there_and_back,  ///< turn by θ, then by the element's angle − θ: right angle, resampling
                   ///< artefacts
  there_only,  ///< turn by θ, then by the element's angle (departure D-2 of the published code)
};

/// The elements of a planar group as "flip left to right first if `flip`, then turn
/// counter-clockwise by `degrees`", g = r^k s^f.
struct PlanarElements {
  at::Tensor flip;     ///< |G|, bool
  at::Tensor degrees;  ///< |G|, float64
  bool has_turns = false;
  bool has_flips = false;
};

/// Throws InputError for a group that is not planar.
PlanarElements planar_elements(const Group& group);

/// Applies element g[n] to image n of x (N×C×H×W) with the angle theta[n] in degrees, which the
/// mode may ask for.
using PlanarTransform =
    std::function<at::Tensor(const at::Tensor& g, const at::Tensor& theta, const at::Tensor& x)>;

/// A data transform, not an action: θ is drawn anew for each use. A group without turns is never
/// resampled. Throws InputError for a group that is not planar.
PlanarTransform make_planar_transform(const Group& group, TurnMode mode);

}  // namespace algprior
