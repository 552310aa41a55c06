#pragma once

#include <cstdint>

#include <CLI/CLI.hpp>

namespace algprior {

/// Accepts an option's value when it is a whole number from `smallest` to `largest`. CLI11 alone
/// takes a number that does not fit its type for the nearest one that does.
CLI::Validator whole_number(std::int64_t smallest, std::int64_t largest);

}  // namespace algprior
