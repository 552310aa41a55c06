#pragma once

#include "algprior/paper/result.hpp"
#include "algprior/paper/statistics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace algprior {

struct StudyRow {
  std::string variant, row, title;
  std::vector<std::optional<Summary>> values;  ///< in the order of the table's metrics
  std::optional<Summary> epoch_seconds;        ///< training and validation, for each epoch
  /// Of the first metric against the row that it is compared with, seed by seed.
  std::optional<PairedDifference> difference;
  std::string command;  ///< makes the runs that are missing; "" when none is
};

/// A table of a study of our own: rows of configs/paper, several metrics, paired differences.
struct StudyTable {
  std::string name, note;
  std::vector<std::string> metrics;
  std::vector<StudyRow> rows;
};

/// "room" or another of study_names(). Throws InputError for an unknown study.
StudyTable make_study_table(std::string_view name, const std::vector<Result>& results);

std::string to_text(const StudyTable& table, bool markdown = false, std::size_t width = 0);
std::string to_json(const StudyTable& table);

}  // namespace algprior
