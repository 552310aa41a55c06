#include "algprior/base/table.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/text.hpp"

#include <algorithm>
#include <numeric>
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
  const std::string rule = std::string(total_width(), '-') + "\n";

  std::string text;
  if (has_titles()) text += line_of([&](std::size_t c) { return columns_[c].title; }) + rule;
  for (const Row& row : rows_) {
    if (row.rule_before) text += rule;
    text += line_of([&](std::size_t c) { return row.cells[c]; });
  }
  return text;
}

std::size_t Table::total_width() const {
  std::size_t total = columns_.empty() ? 0 : kGap * (columns_.size() - 1);
  for (const std::size_t w : widths()) total += w;
  return total;
}

Table Table::with_columns(const std::vector<std::size_t>& chosen) const {
  std::vector<Column> columns;
  for (const std::size_t c : chosen) columns.push_back(columns_[c]);
  Table result(std::move(columns));
  for (const Row& row : rows_) {
    std::vector<std::string> cells;
    for (const std::size_t c : chosen) cells.push_back(row.cells[c]);
    result.rows_.push_back({std::move(cells), row.rule_before});
  }
  return result;
}

Table Table::with_wrapped_end(std::size_t width) const {
  Table result(columns_);
  const std::size_t room = width - (total_width() - widths().back());
  for (const Row& row : rows_) {
    const std::vector<std::string> lines = wrap_words(row.cells.back(), room);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::vector<std::string> cells(columns_.size());
      if (i == 0) cells = row.cells;
      cells.back() = lines[i];
      result.rows_.push_back({std::move(cells), i == 0 && row.rule_before});
    }
  }
  return result;
}

std::string Table::to_text(std::size_t width) const {
  std::vector<std::size_t> chosen(columns_.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  Table table = *this;
  while (table.total_width() > width) {
    const auto last = std::max_element(chosen.begin(), chosen.end(), [&](auto a, auto b) {
      return std::pair(columns_[a].rank, a) < std::pair(columns_[b].rank, b);
    });
    if (last == chosen.end() || columns_[*last].rank == 0) break;
    chosen.erase(last);
    table = with_columns(chosen);
  }
  std::string dropped;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (std::find(chosen.begin(), chosen.end(), c) != chosen.end()) continue;
    dropped += (dropped.empty() ? "" : ", ") + columns_[c].title;
  }
  const std::string below = dropped.empty() ? "" : "left out for want of room: " + dropped + "\n";
  constexpr std::size_t kNarrowestEnd = 20;
  if (table.total_width() > width && table.columns_.size() > 1 &&
      table.columns_.back().align == Align::kLeft) {
    const std::size_t others = table.total_width() - table.widths().back();
    if (others + kNarrowestEnd <= width) table = table.with_wrapped_end(width);
  }
  if (table.total_width() <= width) return table.to_text() + below;

  std::string text;
  const std::vector<std::size_t> widths = table.widths();
  for (std::size_t first = 1; first < widths.size();) {
    std::vector<std::size_t> part{0};
    for (std::size_t used = widths[0]; first < widths.size(); ++first) {
      used += kGap + widths[first];
      if (used > width && part.size() > 1) break;
      part.push_back(first);
    }
    text += (text.empty() ? "" : "\n") + table.with_columns(part).to_text();
  }
  return (text.empty() ? table.to_text() : text) + below;
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
