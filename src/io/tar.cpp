#include "algprior/io/tar.hpp"

#include "cursor.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace algprior::io {
namespace {

constexpr std::size_t kBlock = 512;

std::string_view text_field(ByteView header, std::size_t offset, std::size_t length) {
  const std::string_view text = as_text(header.subspan(offset, length));
  return text.substr(0, text.find('\0'));
}

/// Octal digits padded with spaces or zero bytes, or GNU's base-256 form for large files.
std::optional<std::uint64_t> number_field(ByteView header, std::size_t offset, std::size_t length) {
  const ByteView field = header.subspan(offset, length);
  if ((field[0] & std::byte{0x80}) != std::byte{0}) {
    std::uint64_t value = std::to_integer<std::uint64_t>(field[0] & std::byte{0x7F});
    for (const std::byte byte : field.subspan(1)) {
      if (value >> 55 != 0) return std::nullopt;
      value = (value << 8) | std::to_integer<std::uint64_t>(byte);
    }
    return value;
  }
  std::string_view text = text_field(header, offset, length);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty()) return 0;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool checksum_matches(ByteView header) {
  const auto stored = number_field(header, 148, 8);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    sum += i >= 148 && i < 156 ? std::uint64_t{' '} : std::to_integer<std::uint64_t>(header[i]);
  }
  return stored == sum;
}

/// The value of "path" in a pax header, whose records read "<length> <key>=<value>\n".
std::optional<std::string> pax_path(std::string_view text) {
  std::optional<std::string> path;
  while (!text.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || length <= digits + 1 || length > text.size()) return path;
    const std::string_view record = text.substr(digits + 1, length - digits - 2);
    if (record.substr(0, 5) == "path=") path = std::string(record.substr(5));
    text.remove_prefix(length);
  }
  return path;
}

}  // namespace

void for_each_tar_member(ByteView bytes, const std::string& name,
                         const std::function<void(const std::string& member, ByteView)>& visit) {
  Cursor cursor(bytes, name, "tar");
  std::string long_name;
  bool any = false;
  while (cursor.left() > 0) {
    const ByteView header = cursor.take(kBlock);
    if (std::all_of(header.begin(), header.end(), [](std::byte b) { return b == std::byte{0}; })) {
      break;
    }
    const auto size = number_field(header, 124, 12);
    if (!checksum_matches(header) || !size) {
      fail_damaged(name, any ? "the tar archive is damaged" : "this is not a tar archive",
                   "a member header at offset " + std::to_string(cursor.position() - kBlock));
    }
    any = true;
    const ByteView content = cursor.take(*size);
    cursor.take(std::min<std::uint64_t>((kBlock - *size % kBlock) % kBlock, cursor.left()));

    const char kind = static_cast<char>(header[156]);
    if (kind == 'L') {
      const std::string_view text = as_text(content);
      long_name = text.substr(0, text.find('\0'));
      continue;
    }
    if (kind == 'x') {
      long_name = pax_path(as_text(content)).value_or(long_name);
      continue;
    }
    if (kind == '0' || kind == '\0') {
      std::string member(text_field(header, 0, 100));
      const std::string_view prefix = text_field(header, 345, 155);
      if (as_text(header.subspan(257, 6)) == std::string_view("ustar\0", 6) && !prefix.empty()) {
        member = std::string(prefix) + "/" + member;
      }
      visit(long_name.empty() ? member : long_name, content);
    }
    long_name.clear();
  }
}

}  // namespace algprior::io
