#include "algprior/action/symmetry.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <ATen/ATen.h>

namespace algprior {
namespace {

// A stride near the golden section spreads any number of the |G|² pairs evenly.
std::vector<std::pair<Element, Element>> some_pairs(const Group& group, std::size_t pairs) {
  const std::uint64_t order = group.order();
  const std::uint64_t all = order * order;
  std::vector<std::pair<Element, Element>> result;
  if (all <= pairs) {
    for (std::uint64_t i = 0; i < all; ++i) {
      result.emplace_back(static_cast<Element>(i / order), static_cast<Element>(i % order));
    }
    return result;
  }
  const auto stride =
      static_cast<std::uint64_t>(0.6180339887498949 * static_cast<double>(all)) | 1U;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    result.emplace_back(static_cast<Element>(at / order), static_cast<Element>(at % order));
    at = (at + stride) % all;
  }
  return result;
}

double defect(const Action& action, const at::Tensor& x, std::size_t pairs, bool opposite) {
  const auto& group = action.group();
  double worst = 0.0;
  for (const auto& [g, h] : some_pairs(group, pairs)) {
    const auto twice = action(g, action(h, x));
    const auto once = action(opposite ? group.multiply(h, g) : group.multiply(g, h), x);
    if (!twice.sizes().equals(x.sizes()) || !once.sizes().equals(x.sizes())) {
      throw InputError(
          {"an action changes the shape of its argument", action.name(), "equal shapes", ""});
    }
    if (x.numel() == 0) continue;
    const auto gap = (twice.to(at::kDouble) - once.to(at::kDouble)).abs().max().item<double>();
    if (std::isnan(gap)) return gap;
    worst = std::max(worst, gap);
  }
  return worst;
}

}  // namespace

Symmetry make_symmetry(Action input, Action output, std::vector<Action> latents) {
  const auto& group = input.group();
  const bool same = output.group() == group &&
                    std::all_of(latents.begin(), latents.end(),
                                [&](const Action& latent) { return latent.group() == group; });
  if (!same) {
    throw InputError({"the actions of a symmetry belong to different groups", group.name(),
                      "one group value for input, output and latents", "call make_group once"});
  }
  return {group, input, std::move(output), std::move(latents)};
}

double action_defect(const Action& action, const at::Tensor& x, std::size_t pairs) {
  return defect(action, x, pairs, false);
}

double opposite_defect(const Action& action, const at::Tensor& x, std::size_t pairs) {
  return defect(action, x, pairs, true);
}

}  // namespace algprior
