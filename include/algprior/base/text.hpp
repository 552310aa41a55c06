#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace algprior {

/// The columns that UTF-8 text takes on a terminal: combining marks take none, East Asian wide
/// characters and emoji two, colour escapes none. An invalid byte counts as one column.
std::size_t display_width(std::string_view text);

/// The longest beginning of the text that fits into `columns`, ending in "…" when something was
/// cut.
std::string fit_width(std::string_view text, std::size_t columns);

/// The text in lines of at most `columns` columns, broken at blanks, and within a word only where a
/// word alone is longer. Newlines of the text stay; at least one line.
std::vector<std::string> wrap_words(std::string_view text, std::size_t columns);

/// The lines that stand in only one of two texts, "- old" and "+ new".
std::string list_differences(const std::string& before, const std::string& after);

/// "512 B", "1.5 KB", "9.9 MB": powers of 1000, three digits at most.
std::string format_bytes(std::uint64_t bytes);

/// "0.42 s", "12 s", "3 min 05 s", "2 h 07 min", "4 d 03 h".
std::string format_duration(double seconds);

}  // namespace algprior
