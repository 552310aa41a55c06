#pragma once

#include "algprior/action/action.hpp"

#include <ATen/core/Tensor.h>

namespace algprior {

/// The input-to-latent equivariance loss of the paper, unweighted:
///   mean over batch and coordinates of (E(g·x) − ρ_Z(g) E(x))²
/// with z = E(x), zg = E(g·x), `latent` the action by ρ_Z and one element g for each sample. The
/// gradient flows into both z and zg. Zero exactly when the encoder is equivariant on the batch.
/// Throws InputError when z, zg and ρ_Z(g) z differ in shape: nothing broadcasts.
at::Tensor equivariance_loss(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                             const at::Tensor& g);

/// How far the samples of a batch lie apart: the mean over batch and coordinates of (z − z̄)².
at::Tensor batch_spread(const at::Tensor& z);

/// The equivariance loss over the spread of both latents. The plain loss falls when Z shrinks,
/// which costs a network nothing where a batch norm follows; this one is the same for Z and c·Z,
/// and 2 where zg has nothing to do with z. A batch of one sample has no spread and counts as 0.
/// Where ranks share a batch (ranks/shared_batch.hpp) the spread is that of the whole batch.
at::Tensor relative_equivariance_loss(const Action& latent, const at::Tensor& z,
                                      const at::Tensor& zg, const at::Tensor& g);

/// Departure D-4 of the published code, where a list of one tensor meets a tensor and what is left
/// broadcasts: mean over batch and coordinates of (E(g₀·x₀) − ρ_Z(g)E(x))², all samples against the
/// partner of the first; where ranks share a batch, of its first. Zero only where Z is constant.
at::Tensor loss_against_first(const Action& latent, const at::Tensor& z, const at::Tensor& zg,
                              const at::Tensor& g);

/// mean (a − b)², with equal shapes asserted. The mean-squared error of every loss in the library.
at::Tensor mean_squared_error(const at::Tensor& a, const at::Tensor& b);

}  // namespace algprior
