#pragma once

#include "terminal.hpp"

#include <optional>
#include <string>
#include <vector>

namespace algprior {

/// Runs this program once for each command line, at most `jobs` at the same time, their stdout
/// dropped and their stderr passed on. Ctrl-C reaches the children, which stop by themselves.
/// Throws Error naming the command lines that failed, after the others have ended.
void run_processes(const std::vector<std::vector<std::string>>& commands, int jobs,
                   Terminal& terminal);

/// Starts a program with a text on its stdin and returns what it wrote to stdout; nothing when it
/// cannot be started or fails. Its stderr is dropped.
std::optional<std::string> read_process(const std::vector<std::string>& words,
                                        const std::string& input);

/// A python3 that can import torch: the system's own first, then the one on PATH.
std::optional<std::string> find_python_with_torch();

}  // namespace algprior
