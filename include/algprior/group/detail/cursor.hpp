#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace algprior {

/// Reads a short text from left to right and complains with its column.
class Cursor {
 public:
  /// `subject` is what is read: "group name", "presentation".
  Cursor(std::string_view text, std::string_view subject) : text_(text), subject_(subject) {}

  std::size_t position() const { return position_; }
  std::string_view text() const { return text_; }
  /// Skips blanks; the next character, or '\0' at the end.
  char peek();
  /// The character after the next one, blanks between them skipped.
  char peek_second();
  bool at_end() { return peek() == '\0' && position_ >= text_.size(); }
  /// Takes the token if it comes next.
  bool accept(std::string_view token);
  void expect(std::string_view token);
  void expect_end();
  /// Digits as a number of at most `most`.
  std::uint64_t number(std::uint64_t most);
  /// A letter or '_' and what follows of letters, digits and '_'; empty when none comes next.
  std::string_view identifier();

  [[noreturn]] void fail(std::string_view expected) { fail_at(position_, expected); }
  [[noreturn]] void fail_at(std::size_t position, std::string_view expected,
                            std::string_view next = "") const;

 private:
  std::string_view text_, subject_;
  std::size_t position_ = 0;
};

}  // namespace algprior
