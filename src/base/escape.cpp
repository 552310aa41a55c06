#include "algprior/base/escape.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace algprior {
namespace {

struct CodePoint {
  std::size_t bytes;
  char32_t value;
  bool valid;
};

CodePoint first_code_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, lead, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || length > text.size()) return {1, lead, false};
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return {1, lead, false};
    value = value << 6 | (byte & 0x3FU);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) return {1, lead, false};
  return {length, value, true};
}

bool is_control(char32_t c) {
  const bool ascii = c < 0x20 || c == 0x7F;
  const bool latin = c >= 0x80 && c < 0xA0;
  const bool direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  const bool separator = c == 0x2028 || c == 0x2029;
  return ascii || latin || direction || separator;
}

// "\x1b[1;32m": the length, or 0.
std::size_t colour_length(std::string_view text) {
  if (text.substr(0, 2) != "\x1b[") return 0;
  std::size_t end = 2;
  while (end < text.size() && (text[end] == ';' || (text[end] >= '0' && text[end] <= '9'))) ++end;
  return end < text.size() && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::string escape_controls(std::string_view text, Escapes keep) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::size_t bytes = keep == Escapes::kColours ? colour_length(text) : 0;
    const CodePoint point = first_code_point(text);
    if (bytes > 0) {
      result += text.substr(0, bytes);
    } else if (bytes = point.bytes; !point.valid) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(point.value));
    } else if (point.value == '\n' || point.value == '\t' || !is_control(point.value)) {
      result += text.substr(0, bytes);
    } else if (keep == Escapes::kJson || point.value >= 0x80) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(point.value));
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(point.value));
    }
    text.remove_prefix(bytes);
  }
  return result;
}

std::string shell_word(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("@%+=:,./-_").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void check_name(std::string_view name, std::string_view kind) {
  constexpr std::size_t kLongest = 200;
  const auto refuse = [&](const std::string& expected) {
    const std::string shown =
        name.size() <= kLongest ? std::string(name) : std::string(name.substr(0, 60)) + "...";
    throw InputError({fmt::format("this cannot be the name of {}", kind),
                      fmt::format("\"{}\"", escape_controls(shown)), expected,
                      "choose letters, digits and - _ . @ = + between them"});
  };
  if (name.empty()) refuse("at least one character");
  if (name.size() > kLongest) refuse(fmt::format("at most {} bytes", kLongest));
  if (name.front() == '.' || name.front() == '-') refuse("a name that begins with neither . nor -");
  if (name.back() == '.' || name.back() == ' ') refuse("a name that ends in neither . nor a blank");
  for (std::string_view rest = name; !rest.empty();) {
    const CodePoint point = first_code_point(rest);
    if (!point.valid) refuse("UTF-8");
    if (is_control(point.value)) refuse("no control characters");
    constexpr std::string_view kReserved = "/\\:*?\"<>|";
    if (point.value < 0x80 && kReserved.find(static_cast<char>(point.value)) != kReserved.npos) {
      refuse(fmt::format("none of {}", kReserved));
    }
    rest.remove_prefix(point.bytes);
  }
}

}  // namespace algprior
