#pragma once

#include "algprior/config/fields.hpp"
#include "algprior/nn/steerable/system.hpp"

namespace algprior::steerable {

/// Declares the keys of averaged kernels.
void bind_averaged(config::Fields& fields, AveragedOptions& averaged,
                   LikelihoodWeights& likelihood);

/// Declares the keys of a system's options.
void bind_system(config::Fields& fields, SystemOptions& options);

}  // namespace algprior::steerable
