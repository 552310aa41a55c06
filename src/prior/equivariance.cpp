#include "algprior/prior/equivariance.hpp"

#include "algprior/base/error.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {

at::Tensor mean_squared_error(const at::Tensor& a, const at::Tensor& b) {
  if (!a.sizes().equals(b.sizes())) {
    throw InputError(
        {"two sides of a loss differ in shape",
         fmt::format("{} and {}", fmt::join(a.sizes(), " x "), fmt::join(b.sizes(), " x ")),
         "equal shapes", "compare tensors sample by sample; nothing is broadcast"});
  }
  return at::mse_loss(a, b);
}

at::Tensor equivariance_loss(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                             const at::Tensor& g) {
  return mean_squared_error(zg, latent(g, z));
}

}  // namespace algprior
