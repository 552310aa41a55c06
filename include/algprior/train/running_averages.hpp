#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/nn/network.hpp"

#include <cstdint>

namespace algprior {

/// Whether the network has batch norms of LibTorch with running averages.
bool has_running_averages(const Network& network);

/// Takes the running averages of every batch norm of the network anew: the mean over the shuffled
/// data set of what the batches have under the weights as they are, each sample with the same
/// weight. The averages that training leaves are those of its last few steps, in which the weights
/// still moved; where the input of a batch norm varies little beside its mean, they can be far off.
///
/// One pass over x in training mode without gradients; weights, mode and momenta stay as they were.
/// Throws InputError for a network that has none.
void refresh_running_averages(const Network& network, const Dataset& dataset, const RandomKey& key,
                              std::int64_t batch_size = 256);

}  // namespace algprior
