#pragma once

#include "algprior/paper/result.hpp"

#include <string>
#include <vector>

namespace algprior {

/// One line a result: experiment, row, seed, the columns that the run itself names, parameters,
/// epochs, time. Runs with other columns stand in a table of their own.
std::string to_text(const std::vector<Result>& results);

}  // namespace algprior
