#pragma once

#include "algprior/action/resample.hpp"
#include "algprior/experiment/experiment.hpp"

#include <map>
#include <string>

namespace algprior {

/// Data of kind "mnist", "cifar10" and "tmnist". Throws InputError and FileError.
ExperimentData make_mnist_data(const config::Config& config);
ExperimentData make_cifar_data(const config::Config& config);
ExperimentData make_tmnist_data(const config::Config& config);

/// "none", "bilinear" or "nearest" as the schema has them.
Resampling to_resampling(const std::string& word);

/// The seed of a run as a key for one purpose.
RandomKey key_of(const config::Config& config, const char* purpose);

/// Whether a departure of the published code is switched on.
bool has_departure(const config::Config& config, const std::string& name);

}  // namespace algprior
