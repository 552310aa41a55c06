#pragma once

#include "algprior/config/config.hpp"
#include "algprior/sweep/manifest.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace algprior::sweep {

/// An experiment file: its text, and its name for messages.
struct Source {
  std::string name;
  std::string toml;
};

/// The files of these rows of the paper's experiments; all rows when none is named.
std::vector<Source> paper_sources(const std::vector<std::string>& experiments,
                                  const std::vector<std::string>& rows);

std::string changes_of(const config::Config& row, const config::Config& run);

/// The run of a file with a seed and changes ("a.b=c").
Task make_task(const Source& source, std::int64_t seed, const std::vector<std::string>& changes);

}  // namespace algprior::sweep
