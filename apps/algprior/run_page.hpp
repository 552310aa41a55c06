#pragma once

#include "terminal.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace algprior {

/// Writes the page of these run folders (report/page.hpp) into the runs folder and returns its
/// path. A page that cannot be written costs no result: then a note says why, and the path is
/// empty.
std::string write_run_page(const std::vector<std::filesystem::path>& folders,
                           const std::string& name, Terminal& terminal);

}  // namespace algprior
