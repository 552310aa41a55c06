#include "algprior/io/csv.hpp"

#include "algprior/base/suggest.hpp"
#include "cursor.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <set>

namespace algprior::io {
namespace {

/// Walks the fields of a CSV text. A quoted field is copied only when it holds doubled quotes.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& name) : text_(text), name_(name) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") position_ = 3;
    skip_empty_lines();
  }

  bool at_end() const { return position_ >= text_.size(); }
  std::size_t line() const { return line_; }
  std::string where() const { return name_ + ":" + std::to_string(line_); }

  /// One record; the views live until the next call.
  const std::vector<std::string_view>& record() {
    fields_.clear();
    copies_.clear();
    start_line_ = line_;
    do {
      fields_.push_back(field());
    } while (accept(','));
    if (!at_end() && !end_of_line()) {
      fail_damaged(where(), "text follows a closing quote", "a comma or the end of the line");
    }
    skip_empty_lines();
    return fields_;
  }
  /// The line on which the last record began.
  std::size_t start_line() const { return start_line_; }

  struct Mark {
    std::size_t position, line;
  };
  Mark mark() const { return {position_, line_}; }
  void return_to(Mark mark) { position_ = mark.position, line_ = mark.line; }

 private:
  bool accept(char wanted) {
    if (at_end() || text_[position_] != wanted) return false;
    ++position_;
    return true;
  }

  bool end_of_line() {
    if (text_.substr(position_, 2) == "\r\n") {
      position_ += 2;
    } else if (!accept('\n')) {
      return false;
    }
    ++line_;
    return true;
  }

  void skip_empty_lines() {
    while (!at_end() && end_of_line()) {
    }
  }

  std::string_view field() {
    if (!accept('"')) {
      const std::size_t end = std::min(text_.find_first_of(",\n", position_), text_.size());
      std::string_view cell = text_.substr(position_, end - position_);
      if (end < text_.size() && text_[end] == '\n' && !cell.empty() && cell.back() == '\r') {
        cell.remove_suffix(1);
      }
      if (cell.find('"') != std::string_view::npos) {
        fail_damaged(where(), "a quote stands inside an unquoted field",
                     "the whole field in quotes, inner quotes doubled");
      }
      position_ += cell.size();
      return cell;
    }
    const std::size_t first = position_;
    bool doubled = false;
    for (;;) {
      const std::size_t quote = text_.find('"', position_);
      if (quote == std::string_view::npos) fail_damaged(where(), "a quote is never closed");
      line_ += static_cast<std::size_t>(
          std::count(text_.begin() + static_cast<std::ptrdiff_t>(position_),
                     text_.begin() + static_cast<std::ptrdiff_t>(quote), '\n'));
      position_ = quote + 1;
      if (!accept('"')) break;
      doubled = true;
    }
    const std::string_view raw = text_.substr(first, position_ - 1 - first);
    if (!doubled) return raw;
    auto copy = std::make_unique<std::string>();
    for (std::size_t i = 0; i < raw.size(); ++i) {
      copy->push_back(raw[i]);
      if (raw[i] == '"') ++i;
    }
    copies_.push_back(std::move(copy));
    return *copies_.back();
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::size_t start_line_ = 1;
  std::vector<std::string_view> fields_;
  std::vector<std::unique_ptr<std::string>> copies_;
};

std::optional<double> to_number(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.remove_suffix(1);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& name) {
  CsvTable table{name, {}, 0};
  Scanner scanner(text, name);
  if (scanner.at_end()) fail_damaged(name, "the CSV file is empty", "a header line");
  std::set<std::string, std::less<>> names;
  for (const std::string_view cell : scanner.record()) {
    if (!names.emplace(cell).second) {
      fail_damaged(name + ":" + std::to_string(scanner.start_line()),
                   "two columns have one name: " + std::string(cell));
    }
    table.columns.push_back({std::string(cell), true, {}, {}, 0});
  }

  // Two passes: whether a column is numeric is known only at its end, and keeping every cell as
  // text until then would cost ten times the memory of the numbers.
  const Scanner::Mark body = scanner.mark();
  while (!scanner.at_end()) {
    const auto& cells = scanner.record();
    if (cells.size() != table.columns.size()) {
      fail_damaged(name + ":" + std::to_string(scanner.start_line()),
                   "a row has " + std::to_string(cells.size()) + " fields",
                   std::to_string(table.columns.size()) + ", as the header");
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      CsvColumn& column = table.columns[i];
      if (!column.numeric || to_number(cells[i])) continue;
      column.numeric = false;
      column.first_text_line = scanner.start_line();
    }
    ++table.rows;
  }
  for (CsvColumn& column : table.columns) {
    column.numeric ? column.numbers.reserve(table.rows) : column.texts.reserve(table.rows);
  }
  for (scanner.return_to(body); !scanner.at_end();) {
    const auto& cells = scanner.record();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      CsvColumn& column = table.columns[i];
      if (column.numeric) {
        column.numbers.push_back(*to_number(cells[i]));
      } else {
        column.texts.emplace_back(cells[i]);
      }
    }
  }
  return table;
}

CsvTable read_csv(const std::filesystem::path& path) {
  Bytes bytes = read_bytes(path);
  if (is_gzip(bytes)) bytes = gunzip(bytes, path.string());
  return parse_csv(as_text(bytes), path.string());
}

const CsvColumn& CsvTable::column(std::string_view wanted) const {
  std::vector<std::string> names;
  for (const CsvColumn& candidate : columns) {
    if (candidate.name == wanted) return candidate;
    names.push_back(candidate.name);
  }
  throw InputError(
      {"the CSV file has no column " + std::string(wanted), file, {}, did_you_mean(wanted, names)});
}

Array to_array(const CsvTable& table, std::size_t first, std::size_t count) {
  if (first > table.columns.size() || count > table.columns.size() - first) {
    throw InputError({"the CSV file has " + std::to_string(table.columns.size()) + " columns",
                      table.file,
                      std::to_string(first + count),
                      {}});
  }
  std::vector<double> values(table.rows * count);
  for (std::size_t i = 0; i < count; ++i) {
    const CsvColumn& column = table.columns[first + i];
    if (!column.numeric) {
      throw InputError({"column " + column.name + " holds something that is not a number",
                        table.file + ":" + std::to_string(column.first_text_line), "numbers only",
                        "fill the gaps, or leave this column out"});
    }
    for (std::size_t row = 0; row < table.rows; ++row)
      values[row * count + i] = column.numbers[row];
  }
  return make_array({static_cast<std::int64_t>(table.rows), static_cast<std::int64_t>(count)},
                    values);
}

std::string to_csv(const std::vector<std::string>& names, const Array& matrix) {
  const auto values = view<double>(matrix);
  if (matrix.shape.size() != 2 || matrix.shape[1] != static_cast<std::int64_t>(names.size()) ||
      names.empty()) {
    throw InputError({"a CSV file holds a matrix with one name a column",
                      to_text(matrix),
                      std::to_string(names.size()) + " columns",
                      {}});
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : ",") + quoted(names[i]);
  out += '\n';
  for (std::size_t i = 0; i < values.size(); ++i) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, values[i]).ptr;
    out.append(digits, end);
    out += (i + 1) % names.size() == 0 ? '\n' : ',';
  }
  return out;
}

void write_csv(const std::filesystem::path& path, const std::vector<std::string>& names,
               const Array& matrix) {
  write_bytes(path, as_bytes(to_csv(names, matrix)));
}

}  // namespace algprior::io
