#include "algprior/analysis/equivariance.hpp"

#include "algprior/prior/equivariance.hpp"

#include <cmath>

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

}  // namespace algprior
