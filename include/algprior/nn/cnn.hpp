#pragma once

#include "algprior/kernel/conv.hpp"
#include "algprior/nn/network.hpp"

#include <cstdint>
#include <vector>

namespace algprior::nn {

/// A convolutional classifier for signals C×L, images C×H×W and volumes C×D×H×W of any size: blocks
/// of convolution, batch norm, activation and average pooling, one for each entry of `channels`;
/// the mean over the positions that are left; a linear layer to Z; batch norm, activation, head.
/// The other lists have one entry for all blocks, or one for each.
struct CnnOptions {
  std::vector<std::int64_t> sample;  ///< the shape of one sample
  std::vector<std::int64_t> channels = {16, 32, 64};
  std::vector<std::int64_t> kernel = {3};  ///< sides; zeros around keep the size
  std::vector<std::int64_t> stride = {1};
  std::vector<std::int64_t> pool = {2};  ///< sides of the pooling windows; 0 or 1: none
  bool norm = true;                      ///< batch norms
  Activation activation = Activation::elu;
  std::int64_t latent = 64;  ///< dim Z
  std::int64_t classes = 10;
};

/// z is taken before norm and activation. The joint pass takes batch statistics for each stream.
/// The weights depend on the seed alone. Throws InputError for sizes below 1, for lists that do not
/// fit, and naming the block that leaves nothing of the samples; LimitError when the weights cannot
/// fit into memory; applied, InputError for other samples.
Network make_cnn_network(std::uint64_t seed, const CnnOptions& options);

}  // namespace algprior::nn
