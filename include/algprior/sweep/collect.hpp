#pragma once

#include "algprior/paper/result.hpp"
#include "algprior/sweep/task_state.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace algprior::sweep {

/// The file that what a task said goes to.
std::filesystem::path log_file(const std::filesystem::path& sweep, std::size_t task);

/// A run without a result, and the end of what it said.
struct Unfinished {
  std::size_t task = 0;
  std::string name;
  TaskStatus status;
  std::string log_end;  ///< its last lines
};

/// What there is of a sweep so far: never more or less than its manifest names.
struct Collection {
  std::vector<Result> results;
  std::vector<Unfinished> unfinished;
};
/// A result that cannot be read counts as unfinished, with the reason as its message.
Collection collect(const Manifest& manifest, const std::filesystem::path& sweep);

/// A line for each row: the mean of every column over the seeds ± the sample standard deviation,
/// and stars for the effect against the experiment's first row (paper/statistics.hpp).
std::string summary_text(const std::vector<Result>& results);
/// The unfinished runs with their states and the ends of their logs; "" when there are none.
std::string unfinished_text(const std::vector<Unfinished>& unfinished);

}  // namespace algprior::sweep
