#include "algprior/base/table.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/text.hpp"

#include <algorithm>
#include <utility>

namespace algprior {
namespace {

constexpr std::size_t kGap = 2;

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::size_t used = display_width(cell);
  const std::string space(width > used ? width - used : 0, ' ');
  return align == Align::kRight ? space + cell : cell + space;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string escaped(const std::string& cell) {
  std::string text;
  for (const char c : cell) {
    if (c == '|') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

Table& Table::add_row(std::vector<std::string> cells) {
  if (cells.size() > columns_.size()) {
    throw InputError({"a table row has too many cells", std::to_string(cells.size()) + " cells",
                      "at most " + std::to_string(columns_.size()), ""});
  }
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), std::exchange(rule_pending_, false)});
  return *this;
}

Table& Table::add_rule() {
  rule_pending_ = true;
  return *this;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const Row& row : rows_) {
    for (std::size_t c = 0; c < widths.size(); ++c) {
      widths[c] = std::max(widths[c], display_width(row.cells[c]));
    }
  }
  return widths;
}

bool Table::has_titles() const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [](const Column& column) { return !column.title.empty(); });
}

std::string Table::to_text() const {
  const std::vector<std::size_t> width = widths();
  const auto line_of = [&](const auto& cell) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) line.append(kGap, ' ');
      line += padded(cell(c), width[c], columns_[c].align);
    }
    return without_trailing_spaces(std::move(line)) + "\n";
  };
  std::size_t total = columns_.empty() ? 0 : kGap * (columns_.size() - 1);
  for (const std::size_t w : width) total += w;
  const std::string rule = std::string(total, '-') + "\n";

  std::string text;
  if (has_titles()) text += line_of([&](std::size_t c) { return columns_[c].title; }) + rule;
  for (const Row& row : rows_) {
    if (row.rule_before) text += rule;
    text += line_of([&](std::size_t c) { return row.cells[c]; });
  }
  return text;
}

std::string Table::to_markdown() const {
  std::string text = "|", rule = "|";
  for (const Column& column : columns_) {
    text += " " + escaped(column.title) + " |";
    rule += column.align == Align::kRight ? "---:|" : "---|";
  }
  text += "\n" + rule + "\n";
  for (const Row& row : rows_) {
    text += "|";
    for (const std::string& cell : row.cells) text += " " + escaped(cell) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace algprior
