#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace algprior {

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kLeft;
  int rank = 0;  ///< where there is no room the columns of the highest rank are left out; 0 stays
};

/// Aligned columns of UTF-8 text, as a string: the one table of the project, for the terminal,
/// files and documents. Cells may carry colour escapes. Titles that are all empty are left out.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// Missing cells are empty. Throws InputError for more cells than columns.
  Table& add_row(std::vector<std::string> cells);
  /// A line across the table before the next row.
  Table& add_rule();
  std::size_t row_count() const noexcept { return rows_.size(); }

  /// Two spaces between columns, a rule under the titles, no trailing spaces, every line ended.
  std::string to_text() const;
  /// At most `width` columns wide, as far as that goes: columns are left out by their rank and
  /// named below the table; then a last column of text continues on further lines; then the table
  /// is cut into several, each with the first column.
  std::string to_text(std::size_t width) const;
  /// The same as a Markdown table ('|' in cells is escaped, rules are left out).
  std::string to_markdown() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool rule_before = false;
  };
  std::vector<std::size_t> widths() const;
  std::size_t total_width() const;
  Table with_columns(const std::vector<std::size_t>& chosen) const;
  Table with_wrapped_end(std::size_t width) const;
  bool has_titles() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
  bool rule_pending_ = false;
};

}  // namespace algprior
