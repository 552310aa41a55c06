#include "algprior/base/error.hpp"
#include "algprior/group/presentation.hpp"
#include "cursor.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::size_t kMostLetters = 1'000'000;
constexpr int kDeepestWord = 100;
constexpr std::uint64_t kLargestExponent = 1'000'000'000;

Word inverse_of(const Word& word) {
  Word result(word.rbegin(), word.rend());
  for (int& letter : result) letter = -letter;
  return result;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text, "presentation") {}

  Presentation read() {
    cursor_.expect("<");
    read_generators();
    cursor_.expect("|");
    if (cursor_.peek() != '>') {
      do read_equation();
      while (cursor_.accept(","));
    }
    if (!cursor_.accept(">")) cursor_.fail("\",\" or \">\", or an operator such as * ^ =");
    cursor_.expect_end();
    return std::move(presentation_);
  }

 private:
  void read_generators() {
    auto& names = presentation_.generators;
    do {
      const std::size_t at = (cursor_.peek(), cursor_.position());
      const std::string name(cursor_.identifier());
      if (name.empty()) cursor_.fail("the name of a generator");
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        cursor_.fail_at(at, "generators with different names");
      }
      names.push_back(name);
    } while (cursor_.accept(","));
  }

  void read_equation() {
    std::vector<Word> sides;
    do sides.push_back(read_word());
    while (cursor_.accept("="));
    if (sides.size() == 1) sides.emplace_back();
    const Word back = inverse_of(sides.back());
    sides.pop_back();
    for (Word& side : sides) {
      Word relator = cyclically_reduced(joined(std::move(side), back));
      total_ += relator.size();
      check_length(total_);
      if (!relator.empty()) presentation_.relators.push_back(std::move(relator));
    }
  }

  Word read_word() {
    if (++depth_ > kDeepestWord) cursor_.fail("at most 100 nested brackets");
    Word word = read_factor();
    for (;;) {
      if (!cursor_.accept("*") && !starts_factor()) break;
      word = joined(std::move(word), read_factor());
    }
    --depth_;
    return word;
  }

  bool starts_factor() {
    const char c = cursor_.peek();
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '(' || c == '[';
  }

  Word read_factor() {
    Word word = read_atom();
    while (cursor_.accept("^")) word = raised(std::move(word));
    return word;
  }

  Word raised(Word base) {
    const char next = cursor_.peek();
    const char second = cursor_.peek_second();
    const bool wrapped = next == '(' && (second == '-' || (second >= '0' && second <= '9'));
    if (wrapped) cursor_.expect("(");
    if (wrapped || next == '-' || (next >= '0' && next <= '9')) {
      const bool negative = cursor_.accept("-");
      const std::uint64_t exponent = cursor_.number(kLargestExponent);
      if (wrapped) cursor_.expect(")");
      return power(negative ? inverse_of(base) : base, exponent);
    }
    const Word by = read_atom();
    return joined(joined(inverse_of(by), base), by);
  }

  Word read_atom() {
    if (cursor_.accept("(")) {
      Word word = read_word();
      cursor_.expect(")");
      return word;
    }
    if (cursor_.accept("[")) return read_commutator();
    const std::size_t at = (cursor_.peek(), cursor_.position());
    const std::string name(cursor_.identifier());
    const auto& names = presentation_.generators;
    const auto found = std::find(names.begin(), names.end(), name);
    if (!name.empty() && found != names.end()) {
      return {static_cast<int>(found - names.begin()) + 1};
    }
    if (name == "e" || (name.empty() && cursor_.accept("1"))) return {};
    if (name.empty()) cursor_.fail("a generator, \"(\", \"[\" or the identity e");
    cursor_.fail_at(at, fmt::format("one of the generators {}", fmt::join(names, ", ")),
                    "join generators with *, as in r*s");
  }

  Word read_commutator() {
    Word word = read_word();
    cursor_.expect(",");
    do {
      const Word other = read_word();
      word = joined(joined(inverse_of(word), inverse_of(other)), joined(word, other));
    } while (cursor_.accept(","));
    cursor_.expect("]");
    return word;
  }

  Word joined(Word left, const Word& right) {
    check_length(left.size() + right.size());
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }

  Word power(const Word& base, std::uint64_t exponent) {
    check_length(base.size() * exponent);
    Word word;
    word.reserve(base.size() * exponent);
    for (std::uint64_t i = 0; i < exponent; ++i) word.insert(word.end(), base.begin(), base.end());
    return word;
  }

  void check_length(std::size_t letters) const {
    if (letters <= kMostLetters) return;
    throw LimitError({"the presentation is too long",
                      fmt::format("its words have {} letters or more at column {}", letters,
                                  cursor_.position() + 1),
                      fmt::format("at most {} letters", kMostLetters), "write smaller exponents"});
  }

  Cursor cursor_;
  Presentation presentation_;
  std::size_t total_ = 0;
  int depth_ = 0;
};

}  // namespace

Presentation parse_presentation(std::string_view text) {
  return Parser(text).read();
}

}  // namespace algprior
