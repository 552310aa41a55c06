#pragma once

#include "algprior/config/schema.hpp"

namespace algprior {

/// The keys of an experiment file: [experiment], [data], [network], [prior], [train].
const config::Schema& experiment_schema();

}  // namespace algprior
