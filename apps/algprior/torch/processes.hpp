#pragma once

#include <optional>
#include <string>
#include <vector>

namespace algprior {

/// Starts a program with a text on its stdin and returns what it wrote to stdout; nothing when it
/// cannot be started or fails. Its stderr is dropped.
std::optional<std::string> read_process(const std::vector<std::string>& words,
                                        const std::string& input);

/// A python3 that can import torch: the system's own first, then the one on PATH.
std::optional<std::string> find_python_with_torch();

}  // namespace algprior
