#include "algprior/analysis/equivariance.hpp"

#include "algprior/prior/equivariance.hpp"

#include <cmath>

#include <torch/types.h>

namespace algprior {

double equivariance_error(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                          const at::Tensor& g) {
  const at::Tensor from = z.detach().to(torch::kFloat64);
  const at::Tensor to = zg.detach().to(torch::kFloat64);
  const double distance = equivariance_loss(latent, from, to, g).item<double>();
  const double spread = mean_squared_error(from, from.mean(0, true).expand_as(from)).item<double>();
  return std::sqrt(distance / spread);
}

}  // namespace algprior
