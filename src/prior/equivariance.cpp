#include "algprior/prior/equivariance.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/latent.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/ranks/shared_batch.hpp"
#include "algprior/ranks/world.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {

namespace {

void check_sides(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes().equals(b.sizes())) return;
  throw InputError({"two sides of a loss differ in shape",
                    fmt::format("{} and {}", shape_text(a), shape_text(b)), "equal shapes",
                    "compare tensors sample by sample; nothing is broadcast"});
}

// The mean of the spreads of z and zg over the samples of all ranks. A spread has its minimum where
// z̄ is the mean, so no gradient flows through the means.
at::Tensor mean_spread_over_ranks(const at::Tensor& z, const at::Tensor& zg) {
  at::Tensor means;
  double samples = 0;
  {
    const at::NoGradGuard no_gradient;
    const auto own = at::stack({z.sum(0, false, at::kDouble), zg.sum(0, false, at::kDouble)});
    const auto count = at::full({1}, static_cast<double>(z.size(0)), own.options());
    const auto sums = at::cat({own.reshape(-1), count});
    world().sum(sums);
    samples = sums[own.numel()].item<double>();
    means = sums.narrow(0, 0, own.numel()).view(own.sizes()) / samples;
  }
  const auto squares = (z.to(at::kDouble) - means[0]).square().sum() +
                       (zg.to(at::kDouble) - means[1]).square().sum();
  const auto coordinates = static_cast<double>(means[0].numel());
  return sum_of_shares(squares) * (0.5 / (samples * coordinates));
}

// g₀·x₀ of the whole batch stands in the share of rank 0.
at::Tensor first_partner(const at::Tensor& zg) {
  const auto first = zg.narrow(0, 0, 1);
  return shares_batch() ? sum_of_shares(first * (world().leads() ? 1.0 : 0.0)) : first;
}

}  // namespace

at::Tensor mean_squared_error(const at::Tensor& a, const at::Tensor& b) {
  return translated("a loss cannot be taken", "mean squared error", [&] {
    check_sides(a, b);
    return at::mse_loss(a, b);
  });
}

at::Tensor equivariance_loss(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                             const at::Tensor& g) {
  return translated("a loss cannot be taken", latent.name(), [&] {
    const auto& places = latent.places();
    const bool vectors = z.dim() == 2 && places.defined() && z.size(1) == places.size(1);
    if (!vectors || !z.device().is_cpu() || z.scalar_type() != zg.scalar_type())
      return mean_squared_error(zg, latent(g, z));
    check_sides(zg, z);
    check_elements(latent.group(), g, z.size(0));
    return gather_equivariance_loss(z, zg, places, g);
  });
}

at::Tensor batch_spread(const at::Tensor& z) {
  return translated("a loss cannot be taken", "spread of a batch",
                    [&] { return mean_squared_error(z, z.mean(0, true).expand_as(z)); });
}

at::Tensor relative_equivariance_loss(const Action& latent, const at::Tensor& z,
                                      const at::Tensor& zg, const at::Tensor& g) {
  const auto loss = equivariance_loss(latent, z, zg, g);
  if (shares_batch()) return loss / mean_spread_over_ranks(z, zg).to(loss.scalar_type());
  if (z.size(0) < 2) return loss * 0;
  return loss / (0.5 * (batch_spread(z) + batch_spread(zg)));
}

at::Tensor loss_against_first(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                              const at::Tensor& g) {
  check_sides(zg, z);
  const auto moved = latent(g, z);
  return mean_squared_error(first_partner(zg).expand_as(moved), moved);
}

}  // namespace algprior
