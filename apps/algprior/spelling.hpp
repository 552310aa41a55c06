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

/// The command of a command with this name. Throws InputError with the nearest one.
const CLI::App& command_of(const CLI::App& app, const std::string& word);

/// As leftover_failure, for a word that should have been a command only.
Failure unknown_command_failure(const CLI::App& program);

/// The same for words that CLI11 left over; empty `what` when there are none.
Failure leftover_failure(const CLI::App& program);

}  // namespace algprior
