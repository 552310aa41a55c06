#pragma once

#include "algprior/config/config.hpp"
#include "algprior/paper/run_id.hpp"

namespace algprior {

/// Which run the configuration of an experiment describes. A row with departures switched on
/// carries them among its changes.
RunId run_id(const config::Config& config);

}  // namespace algprior
