#pragma once

#include "algprior/action/device_copies.hpp"

namespace algprior {

/// For each element g of a group a permutation of d places, stored as a gather table:
/// place k of the result is taken from place forward[g, k] of the input.
struct PermutationTable {
  DeviceCopies forward;   ///< |G|×d, int64
  DeviceCopies backward;  ///< the inverse permutations: backward[g, forward[g, k]] = k
};

/// The table with its inverse. Throws InputError when a row of `forward` is not a permutation.
PermutationTable make_permutation_table(const at::Tensor& forward);

/// out[n, …, k] = x[n, …, forward[g[n], k]]: one gather, whatever the number of distinct elements.
/// The gradient is a gather too, so both directions are exact and deterministic on every device.
at::Tensor permute_places(const PermutationTable& table, const at::Tensor& g, const at::Tensor& x);

}  // namespace algprior
