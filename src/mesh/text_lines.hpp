#pragma once

#include "algprior/base/error.hpp"
#include "algprior/mesh/mesh_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace algprior::mesh {

/// What every mesh reader says about a damaged file.
[[noreturn]] inline void fail_mesh(const std::string& where, const std::string& what,
                                   const std::string& expected = {}) {
  throw FileError({what, where, expected, "repair the mesh or fetch the file again"});
}

[[noreturn]] inline void fail_mesh_limit(const std::string& where, const std::string& what,
                                         std::uint64_t count, std::uint64_t limit) {
  throw LimitError({fmt::format("the mesh has too many {}: {}", what, count), where,
                    fmt::format("at most {}", limit), "simplify the mesh, or raise MeshLimits"});
}

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/// The words of one line.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  /// The next word; empty at the end.
  std::string_view next() {
    std::size_t start = 0;
    while (start < rest_.size() && is_blank(rest_[start])) ++start;
    std::size_t end = start;
    while (end < rest_.size() && !is_blank(rest_[end])) ++end;
    const std::string_view word = rest_.substr(start, end - start);
    rest_.remove_prefix(end);
    return word;
  }

 private:
  std::string_view rest_;
};

/// The lines of a text, counted from 1; comments from '#' on are cut off where asked.
class Lines {
 public:
  Lines(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  /// The next line that holds a word before any comment.
  bool next_filled(std::string_view& line) {
    while (next(line)) {
      line = line.substr(0, line.find('#'));
      if (!Words(line).next().empty()) return true;
    }
    return false;
  }

  std::size_t left() const { return rest_.size(); }
  std::string where() const { return fmt::format("{}:{}", name_, number_); }

 private:
  std::string_view rest_;
  const std::string& name_;
  std::size_t number_ = 0;
};

/// The whole word as a number, or nothing.
template <class T>
std::optional<T> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || word.empty()) return std::nullopt;
  return value;
}

inline double coordinate_of(std::string_view word, const Lines& lines) {
  // A number too small for a double is zero here: exporters write such.
  double value = 0.0;
  if (word.size() > 1 && word[0] == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = !word.empty() && end == word.data() + word.size();
  const bool tiny = error == std::errc::result_out_of_range &&
                    word.find_first_of("eE") != std::string_view::npos &&
                    word.find('-', word.find_first_of("eE")) != std::string_view::npos;
  if (whole && tiny) return 0.0;
  if (!whole || error != std::errc() || !std::isfinite(value)) {
    fail_mesh(lines.where(), fmt::format("a coordinate is \"{}\"", word.substr(0, 40)),
              "a finite number");
  }
  return value;
}

/// Adds a polygon as a fan of triangles.
inline void add_fan(std::vector<Face>& faces, const std::vector<std::uint32_t>& corners) {
  for (std::size_t i = 2; i < corners.size(); ++i) {
    faces.push_back({corners[0], corners[i - 1], corners[i]});
  }
}

}  // namespace algprior::mesh
