#pragma once

#include <ATen/core/Tensor.h>

namespace algprior {

/// out[n, …, k] = x[n, …, table[g[n], k]]: the action of one group element a sample by permutation
/// of places, whether these are latent coordinates, the pixels of an exact turn or the voxels of a
/// cube rotation. `table` is |G|×d int64 with a permutation in each row, g has one int64 element a
/// sample. Differentiable in x. Throws InputError on shapes or indices that do not fit.
at::Tensor gather_places(const at::Tensor& x, const at::Tensor& table, const at::Tensor& g);
at::Tensor gather_places_torch(const at::Tensor& x, const at::Tensor& table, const at::Tensor& g);

/// MSE(zg, ρ(g)z) with ρ(g) given by `table` as above, z and zg of shape N×d: one pass computes the
/// loss and both gradients; no permuted copy of z is made. Differentiable once in z and zg.
/// Throws InputError on shapes or indices that do not fit.
at::Tensor gather_equivariance_loss(const at::Tensor& z, const at::Tensor& zg,
                                    const at::Tensor& table, const at::Tensor& g);
at::Tensor gather_equivariance_loss_torch(const at::Tensor& z, const at::Tensor& zg,
                                          const at::Tensor& table, const at::Tensor& g);

}  // namespace algprior
