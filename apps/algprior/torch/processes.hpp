#pragma once

#include "terminal.hpp"

#include <string>
#include <vector>

namespace algprior {

/// Runs this program once for each command line, at most `jobs` at the same time, their stdout
/// dropped and their stderr passed on. Ctrl-C reaches the children, which stop by themselves.
/// Throws Error naming the command lines that failed, after the others have ended.
void run_processes(const std::vector<std::vector<std::string>>& commands, int jobs,
                   Terminal& terminal);

}  // namespace algprior
