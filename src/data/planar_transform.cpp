#include "algprior/data/planar_transform.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"

#include <cmath>
#include <numbers>

#include <ATen/ATen.h>

namespace algprior {
namespace {

constexpr double kRounding = 1e-9;

}  // namespace

PlanarElements planar_elements(const Group& group) {
  const auto& matrices = orthogonal_matrices(group);
  if (!matrices || matrices->front().rows() != 2) {
    throw InputError({"the group does not turn and flip images", group.name(), "C_n or D_n", ""});
  }
  const auto order = static_cast<std::int64_t>(matrices->size());
  PlanarElements elements{at::empty({order}, at::kBool), at::empty({order}, at::kDouble)};
  for (std::int64_t g = 0; g < order; ++g) {
    const auto& m = (*matrices)[static_cast<std::size_t>(g)];
    const bool flip = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0) < 0.0;
    // A flip first changes the sign of the first column of the turn [[cos, sin], [−sin, cos]].
    const double sine = m(0, 1);
    const double cosine = m(1, 1);
    const double degrees = std::atan2(sine, cosine) * (180.0 / std::numbers::pi);
    elements.flip.data_ptr<bool>()[g] = flip;
    elements.degrees.data_ptr<double>()[g] = degrees;
    elements.has_flips = elements.has_flips || flip;
    elements.has_turns = elements.has_turns || std::abs(degrees) > kRounding;
  }
  return elements;
}

PlanarTransform make_planar_transform(const Group& group, TurnMode mode) {
  const auto elements = planar_elements(group);
  if (mode == TurnMode::direct || !elements.has_turns) {
    const auto action = planar_action(group, Resampling::bilinear);
    return [action](const at::Tensor& g, const at::Tensor&, const at::Tensor& x) {
      return action(g, x);
    };
  }
  return
      [group, elements, mode](const at::Tensor& g, const at::Tensor& theta, const at::Tensor& x) {
        check_elements(group, g, x.defined() && x.dim() > 0 ? x.size(0) : 0);
        auto moved = x;
        if (elements.has_flips) moved = flip_horizontally(moved, elements.flip.index_select(0, g));
        moved = rotate(moved, theta, Resampling::bilinear);
        const auto degrees = elements.degrees.index_select(0, g);
        return rotate(moved, mode == TurnMode::there_and_back ? degrees - theta : degrees,
                      Resampling::bilinear);
      };
}

}  // namespace algprior
