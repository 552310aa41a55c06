#pragma once

#include "algprior/base/error.hpp"

#include <string>

#include <CLI/CLI.hpp>

namespace algprior {

/// The words that lead to a command: "algprior data get".
std::string command_path(const CLI::App& app);

/// What a person typed wrong, from the state that CLI11 leaves after a failed parse: an unknown
/// command or option with the nearest one that exists, else CLI11's own words.
InputError to_input_error(const CLI::App& program, const CLI::ParseError& error);

/// The same for words that CLI11 left over; empty `what` when there are none.
Failure leftover_failure(const CLI::App& program);

}  // namespace algprior
