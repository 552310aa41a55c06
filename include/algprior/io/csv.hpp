#pragma once

#include "algprior/io/bytes.hpp"

#include <string>
#include <vector>

namespace algprior::io {

/// One column of a CSV file: numbers if every cell is a number, else the cells as they are.
struct CsvColumn {
  std::string name;
  bool numeric = true;
  std::vector<double> numbers;      ///< filled when numeric
  std::vector<std::string> texts;   ///< filled otherwise
  std::size_t first_text_line = 0;  ///< the line of the first cell that is not a number, else 0
};

/// A CSV file with a header line.
struct CsvTable {
  std::string file;
  std::vector<CsvColumn> columns;
  std::size_t rows = 0;

  /// Throws InputError naming the nearest columns when there is none of that name.
  const CsvColumn& column(std::string_view name) const;
};

/// Comma-separated text as in RFC 4180: fields may be quoted, "" inside quotes is one quote, lines
/// end in \n or \r\n, a leading byte-order mark is skipped, empty lines are skipped. Reads .gz too.
/// Throws FileError with file:line for a row of the wrong length, a stray or unclosed quote, a
/// duplicate column name, or an empty file.
CsvTable read_csv(const std::filesystem::path& path);
CsvTable parse_csv(std::string_view text, const std::string& name);

/// The columns [first, first + count) as float64[rows, count]. Throws InputError naming column and
/// line when one of them is not numeric.
Array to_array(const CsvTable& table, std::size_t first, std::size_t count);

/// A float64 matrix under a header, numbers in the shortest form that reads back to the same bits.
std::string to_csv(const std::vector<std::string>& names, const Array& matrix);
void write_csv(const std::filesystem::path& path, const std::vector<std::string>& names,
               const Array& matrix);

}  // namespace algprior::io
