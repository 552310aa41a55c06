#include "algprior/group/detail/cursor.hpp"

#include "algprior/base/error.hpp"

#include <fmt/format.h>

namespace algprior {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

char Cursor::peek() {
  while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
  return position_ < text_.size() ? text_[position_] : '\0';
}

char Cursor::peek_second() {
  peek();
  std::size_t next = position_ + 1;
  while (next < text_.size() && is_blank(text_[next])) ++next;
  return next < text_.size() ? text_[next] : '\0';
}

bool Cursor::accept(std::string_view token) {
  peek();
  if (text_.substr(position_, token.size()) != token) return false;
  position_ += token.size();
  return true;
}

void Cursor::expect(std::string_view token) {
  if (!accept(token)) fail(fmt::format("\"{}\"", token));
}

void Cursor::expect_end() {
  if (!at_end()) fail("the end of the text");
}

std::uint64_t Cursor::number(std::uint64_t most) {
  if (!is_digit(peek())) fail("a number");
  const std::size_t start = position_;
  std::uint64_t value = 0;
  for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
    value = value * 10 + static_cast<std::uint64_t>(text_[position_] - '0');
    if (value > most) fail_at(start, fmt::format("a number of at most {}", most));
  }
  return value;
}

std::string_view Cursor::identifier() {
  const std::size_t start = (peek(), position_);
  if (start >= text_.size() || !(is_letter(text_[start]) || text_[start] == '_')) return {};
  while (position_ < text_.size() &&
         (is_letter(text_[position_]) || is_digit(text_[position_]) || text_[position_] == '_')) {
    ++position_;
  }
  return text_.substr(start, position_ - start);
}

void Cursor::fail_at(std::size_t position, std::string_view expected, std::string_view next) const {
  // Columns count characters, not bytes: continuation bytes of UTF-8 do not move the caret.
  std::size_t column = 1;
  std::string line;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (i < position && (static_cast<unsigned char>(text_[i]) & 0xC0u) != 0x80u) ++column;
    line += is_blank(text_[i]) ? ' ' : text_[i];
  }
  constexpr std::size_t kWindow = 60;  // a long text is shown around the fault only
  std::string picture;
  if (line.size() <= 2 * kWindow) {
    picture = fmt::format("\n    {}\n    {:>{}}", line, "^", column);
  } else {
    picture = ", near \"" +
              line.substr(position > kWindow / 2 ? position - kWindow / 2 : 0, kWindow) + "\"";
  }
  throw InputError({fmt::format("cannot read the {}", subject_),
                    fmt::format("column {}{}", column, picture), std::string(expected),
                    std::string(next)});
}

}  // namespace algprior
