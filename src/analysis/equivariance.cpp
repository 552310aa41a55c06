#include "algprior/analysis/equivariance.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/prior/equivariance.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

constexpr const char* kNotTaken = "an equivariance error cannot be taken";

// In float64, without a graph.
at::Tensor exact(const char* name, const at::Tensor& latents) {
  if (latents.defined() && latents.dim() >= 1 && !latents.is_complex()) {
    return latents.detach().to(torch::kFloat64);
  }
  throw InputError({kNotTaken, name, "real latents, a row a sample", ""});
}

}  // namespace

double latent_spread(const at::Tensor& z) {
  return translated(kNotTaken, "spread of latents",
                    [&] { return batch_spread(exact("z", z)).item<double>(); });
}

double equivariance_error(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                          const at::Tensor& g) {
  const at::Tensor from = exact("z", z);
  const at::Tensor to = exact("zg", zg);
  const double distance = equivariance_loss(latent, from, to, g).item<double>();
  return std::sqrt(distance / latent_spread(from));
}

std::vector<double> element_errors(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                                   const at::Tensor& g) {
  const at::Tensor from = exact("z", z), to = exact("zg", zg);
  const double spread = latent_spread(from);
  if (!g.defined() || g.dim() != 1 || g.size(0) != from.size(0) || to.sizes() != from.sizes()) {
    throw InputError({kNotTaken, "z, zg and g", "one element a sample, z and zg of one shape", ""});
  }
  std::vector<double> errors;
  for (Element element = 0; element < latent.group().order(); ++element) {
    const at::Tensor places = g.eq(static_cast<std::int64_t>(element)).nonzero().flatten();
    if (places.numel() == 0) {
      errors.push_back(std::nan(""));
      continue;
    }
    const double distance = equivariance_loss(latent, from.index_select(0, places),
                                              to.index_select(0, places), g.index_select(0, places))
                                .item<double>();
    errors.push_back(std::sqrt(distance / spread));
  }
  return errors;
}

double linear_error(const at::Tensor& z, const at::Tensor& moved) {
  const auto latents = exact("z", z), to = exact("moved", moved);
  const std::int64_t half = latents.dim() == 2 ? latents.size(0) / 2 : 0;
  const bool fits = latents.dim() == 2 && to.dim() == 2 && to.size(0) == latents.size(0);
  if (!fits || half < latents.size(1) + 2 || !at::isfinite(latents).all().item<bool>() ||
      !at::isfinite(to).all().item<bool>()) {
    throw InputError({"a linear map between latents cannot be fitted",
                      fmt::format("{} samples", latents.size(0)),
                      fmt::format("two finite matrices of latents with at least {} rows",
                                  latents.dim() == 2 ? 2 * (latents.size(1) + 2) : 4),
                      "encode more samples"});
  }
  const auto ones = at::ones({latents.size(0), 1}, at::kDouble);
  const auto from = at::cat({latents, ones}, 1);
  // A little of the spread on the diagonal: latents may lie in fewer dimensions than they have.
  const auto fit = from.slice(0, 0, half);
  const auto gram = at::matmul(fit.t(), fit);
  const auto ridge = 1e-9 * gram.diagonal().mean() * at::eye(gram.size(0), at::kDouble);
  return translated("a linear map between latents cannot be fitted", "least squares", [&] {
    const auto map = at::linalg_solve(gram + ridge, at::matmul(fit.t(), to.slice(0, 0, half)));
    const auto rest = at::matmul(from.slice(0, half), map) - to.slice(0, half);
    return std::sqrt(rest.square().mean().item<double>() / latent_spread(latents));
  });
}

}  // namespace algprior
