#include "algprior/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace algprior {
namespace {

struct Range {
  char32_t first, last;
};

// Combining marks, joiners and variation selectors (Unicode categories Mn, Me, Cf in common use).
constexpr std::array<Range, 13> kZeroWidth = {{{0x0300, 0x036F},
                                               {0x0483, 0x0489},
                                               {0x0591, 0x05BD},
                                               {0x0610, 0x061A},
                                               {0x064B, 0x065F},
                                               {0x1AB0, 0x1AFF},
                                               {0x1DC0, 0x1DFF},
                                               {0x200B, 0x200F},
                                               {0x202A, 0x202E},
                                               {0x2060, 0x2064},
                                               {0x20D0, 0x20F0},
                                               {0xFE00, 0xFE0F},
                                               {0xFE20, 0xFE2F}}};

// East Asian Width W and F, in blocks.
constexpr std::array<Range, 11> kDoubleWidth = {{{0x1100, 0x115F},
                                                 {0x2E80, 0x303E},
                                                 {0x3041, 0x33FF},
                                                 {0x3400, 0x4DBF},
                                                 {0x4E00, 0x9FFF},
                                                 {0xA000, 0xA4CF},
                                                 {0xAC00, 0xD7A3},
                                                 {0xF900, 0xFAFF},
                                                 {0xFF00, 0xFF60},
                                                 {0x1F300, 0x1FAFF},
                                                 {0x20000, 0x3FFFD}}};

template <std::size_t N>
bool contains(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](Range range) { return range.first <= c && c <= range.last; });
}

struct Glyph {
  std::size_t bytes, columns;
};

// "\x1b[…m": parameters 0x20–0x3F, then one final byte.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2 || text[0] != '\x1b' || text[1] != '[') return 0;
  std::size_t end = 2;
  while (end < text.size() && text[end] >= 0x20 && text[end] <= 0x3F) ++end;
  return end < text.size() ? end + 1 : 0;
}

Glyph next_glyph(std::string_view text) {
  if (const std::size_t length = escape_length(text); length > 0) return {length, 0};
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, lead < 0x20 || lead == 0x7F ? 0U : 1U};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  if (length == 1 || length > text.size()) return {1, 1};
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return {1, 1};
    code = code << 6 | (byte & 0x3FU);
  }
  if (contains(kZeroWidth, code)) return {length, 0};
  return {length, contains(kDoubleWidth, code) ? 2U : 1U};
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = next_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return columns;
}

std::string fit_width(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  std::size_t used = 0, bytes = 0;
  while (bytes < text.size()) {
    const Glyph glyph = next_glyph(text.substr(bytes));
    if (used + glyph.columns > columns - 1) break;
    used += glyph.columns;
    bytes += glyph.bytes;
  }
  return std::string(text.substr(0, bytes)) + "…";
}

std::vector<std::string> wrap_words(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  std::vector<std::string> lines{""};
  std::size_t used = 0;  // columns of the last line
  const auto add_word = [&](std::string_view word) {
    const std::size_t width = display_width(word);
    if (used > 0 && used + 1 + width <= columns) {
      lines.back() += ' ';
      ++used;
    } else if (used > 0) {
      lines.emplace_back();
      used = 0;
    }
    while (!word.empty()) {
      const Glyph glyph = next_glyph(word);
      if (used > 0 && used + glyph.columns > columns) {
        lines.emplace_back();
        used = 0;
      }
      lines.back() += word.substr(0, glyph.bytes);
      used += glyph.columns;
      word.remove_prefix(glyph.bytes);
    }
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (end > 0) add_word(text.substr(0, end));
    if (end < text.size() && text[end] == '\n') {
      lines.emplace_back();
      used = 0;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 7> kUnits = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // 999.5 would be shown as 1000.
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000.0;
    ++unit;
  }
  if (unit == 0 || value >= 99.95) return fmt::format("{:.0f} {}", value, kUnits[unit]);
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0.0) return "?";
  if (seconds < 9.95) return fmt::format("{:.{}f} s", seconds, seconds < 0.995 ? 2 : 1);
  constexpr double kLongest = 1e15;
  const auto whole = static_cast<std::int64_t>(std::lround(std::min(seconds, kLongest)));
  constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 86400;
  if (whole < kMinute) return fmt::format("{} s", whole);
  if (whole < kHour) return fmt::format("{} min {:02} s", whole / kMinute, whole % kMinute);
  if (whole < kDay) return fmt::format("{} h {:02} min", whole / kHour, whole % kHour / kMinute);
  return fmt::format("{} d {:02} h", whole / kDay, whole % kDay / kHour);
}

std::string list_differences(const std::string& before, const std::string& after) {
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  };
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(after);
  const std::multiset<std::string> old_set(old_lines.begin(), old_lines.end());
  const std::multiset<std::string> new_set(new_lines.begin(), new_lines.end());
  std::string result;
  for (const auto& line : old_lines) {
    if (!new_set.contains(line)) result += "- " + line + "\n";
  }
  for (const auto& line : new_lines) {
    if (!old_set.contains(line)) result += "+ " + line + "\n";
  }
  if (!result.empty()) result.pop_back();
  return result;
}

}  // namespace algprior
