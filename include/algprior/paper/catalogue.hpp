#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace algprior {

/// A row of one of the paper's tables: the settings that make the number, compiled in from
/// configs/paper/<family>/<variant>-<row>.toml.
struct PaperRow {
  std::string_view family;
  std::string_view variant;
  std::string_view row;
  std::string_view toml;

  std::string experiment() const { return std::string(family) + "-" + std::string(variant); }
};

/// All rows, by family, variant and row in alphabetical order.
const std::vector<PaperRow>& paper_rows();

/// The rows of "ddmnist-d4", or of all experiments of a family, "tmnist". Throws InputError with
/// the nearest name when there are none.
std::vector<PaperRow> rows_of(std::string_view experiment);

/// The published numbers of a table: "ddmnist" is configs/paper/ddmnist/published.json,
/// "ddmnist-sensitivity" published-sensitivity.json beside it. Throws InputError naming the tables.
std::string_view published_table(std::string_view name);

/// The names that `paper table` takes: tables with published numbers, then our own studies.
std::vector<std::string> table_names();

/// The rows and metrics of a study of our own, configs/paper/<name>/study.json. Throws InputError
/// naming the studies.
std::string_view study_text(std::string_view name);
std::vector<std::string> study_names();

/// The command that makes the runs missing from the seeds 0 … wanted − 1 of a row, and no others;
/// "" when none is missing. An empty row stands for all rows of the experiment.
std::string missing_runs(std::string_view experiment, std::string_view row,
                         const std::set<std::uint64_t>& seeds, std::uint64_t wanted);

}  // namespace algprior
