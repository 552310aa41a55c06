#include "algprior/analysis/equivariance.hpp"

#include "algprior/base/error.hpp"
#include "algprior/prior/equivariance.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {

double latent_spread(const at::Tensor& z) {
  return batch_spread(z.detach().to(torch::kFloat64)).item<double>();
}

double equivariance_error(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                          const at::Tensor& g) {
  const at::Tensor from = z.detach().to(torch::kFloat64);
  const at::Tensor to = zg.detach().to(torch::kFloat64);
  const double distance = equivariance_loss(latent, from, to, g).item<double>();
  return std::sqrt(distance / latent_spread(from));
}

std::vector<double> element_errors(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                                   const at::Tensor& g) {
  const at::Tensor from = z.detach().to(torch::kFloat64);
  const double spread = latent_spread(from);
  std::vector<double> errors;
  for (Element element = 0; element < latent.group().order(); ++element) {
    const at::Tensor places = g.eq(static_cast<std::int64_t>(element)).nonzero().flatten();
    if (places.numel() == 0) {
      errors.push_back(std::nan(""));
      continue;
    }
    const double distance =
        equivariance_loss(latent, from.index_select(0, places),
                          zg.detach().index_select(0, places).to(torch::kFloat64),
                          g.index_select(0, places))
            .item<double>();
    errors.push_back(std::sqrt(distance / spread));
  }
  return errors;
}

double linear_error(const at::Tensor& z, const at::Tensor& moved) {
  const std::int64_t half = z.dim() == 2 ? z.size(0) / 2 : 0;
  if (z.dim() != 2 || moved.dim() != 2 || moved.size(0) != z.size(0) || half < z.size(1) + 2) {
    throw InputError({"a linear map between latents cannot be fitted",
                      fmt::format("{} samples", z.size(0)),
                      fmt::format("two matrices of latents with at least {} rows",
                                  z.dim() == 2 ? 2 * (z.size(1) + 2) : 4),
                      "encode more samples"});
  }
  const auto ones = at::ones({z.size(0), 1}, at::kDouble);
  const auto from = at::cat({z.detach().to(at::kDouble), ones}, 1);
  const auto to = moved.detach().to(at::kDouble);
  // A little of the spread on the diagonal: latents may lie in fewer dimensions than they have.
  const auto fit = from.slice(0, 0, half);
  const auto gram = at::matmul(fit.t(), fit);
  const auto ridge = 1e-9 * gram.diagonal().mean() * at::eye(gram.size(0), at::kDouble);
  const auto map = at::linalg_solve(gram + ridge, at::matmul(fit.t(), to.slice(0, 0, half)));
  const auto rest = at::matmul(from.slice(0, half), map) - to.slice(0, half);
  return std::sqrt(rest.square().mean().item<double>() / latent_spread(z));
}

}  // namespace algprior
