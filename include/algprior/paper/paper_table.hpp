#pragma once

#include "algprior/paper/result.hpp"
#include "algprior/paper/statistics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace algprior {

/// One cell: what the paper prints, and what our runs gave.
struct PaperCell {
  std::optional<Summary> published;
  std::optional<Summary> ours;
  std::optional<double> effect;  ///< Cohen's d of the paper's method against this row, ours
  std::string command;  ///< makes the runs that are missing; "" when none is, or none can be made
};

struct PaperTableRow {
  std::string row;
  std::string title;
  bool imported = false;  ///< the paper took the number from the work that it compares with
  std::vector<PaperCell> cells;
};

/// A table of the paper beside our runs.
struct PaperTable {
  std::string name;  ///< "ddmnist", "ddmnist-sensitivity"
  std::string metric;
  std::vector<std::string> variants;  ///< the columns
  std::vector<PaperTableRow> rows;
  std::string note;  ///< what a reader must know of the two columns; may be empty
};

/// A published table filled with every result that belongs to it; rows that we have and the paper
/// has not (departures switched on) are appended. Throws InputError for an unknown table.
PaperTable make_paper_table(std::string_view name, const std::vector<Result>& results);

/// For a terminal (`markdown` false) or a document, with the commands that fill what is missing. A
/// `width` of the terminal, where given, is kept: variants that do not fit stand below each other.
std::string to_text(const PaperTable& table, bool markdown = false, std::size_t width = 0);
std::string to_json(const PaperTable& table);

}  // namespace algprior
