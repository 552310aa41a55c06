#include "algprior/group/make_group.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/catalogue.hpp"
#include "algprior/group/multiplication_table.hpp"
#include "algprior/group/permutation.hpp"
#include "algprior/group/presentation.hpp"
#include "algprior/group/product.hpp"
#include "cursor.hpp"
#include "state.hpp"

#include <numeric>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::uint64_t kLargestNumber = 1'000'000'000;
constexpr std::uint64_t kLargestPower = 64;
constexpr int kDeepestName = 50;

// The least j ≥ 1 with k^j = 1 modulo n, or 0.
std::size_t multiplicative_order(std::size_t k, std::size_t n) {
  if (std::gcd(k, n) != 1) return 0;
  std::size_t power = k % n, j = 1;
  for (; power != 1 % n; ++j) power = power * k % n;
  return j;
}

// "[[0,1],[1,0]]"
std::vector<std::vector<Element>> parse_table(std::string_view text) {
  Cursor cursor(text, "multiplication table");
  std::vector<std::vector<Element>> rows;
  cursor.expect("[");
  do {
    cursor.expect("[");
    rows.emplace_back();
    do rows.back().push_back(static_cast<Element>(cursor.number(kLargestNumber)));
    while (cursor.accept(","));
    if (!cursor.accept("]")) cursor.fail("\",\" or \"]\"");
  } while (cursor.accept(","));
  if (!cursor.accept("]")) cursor.fail("\",\" or \"]\"");
  cursor.expect_end();
  return rows;
}

class NameParser {
 public:
  NameParser(std::string_view text, const GroupLimits& limits)
      : cursor_(text, "group name"), limits_(limits) {}

  Group read() {
    Group group = read_product();
    if (!cursor_.at_end()) cursor_.fail("x, ^, or the end of the name");
    return group;
  }

 private:
  Group read_product() {
    if (++depth_ > kDeepestName) cursor_.fail("fewer nested parentheses");
    std::vector<Group> factors{read_semidirect()};
    while (cursor_.accept("x") || cursor_.accept("×")) factors.push_back(read_semidirect());
    --depth_;
    return direct_product(factors, limits_);
  }

  Group read_semidirect() {
    Group group = read_wreath();
    const std::size_t at = (cursor_.peek(), cursor_.position());
    if (!cursor_.accept(":")) return group;
    const Group top = read_wreath();
    if (group.generators().size() != 1 || top.generators().size() != 1) {
      cursor_.fail_at(at, "cyclic groups on both sides, as in C7:C3",
                      "build other semidirect products with semidirect_product");
    }
    const std::size_t n = group.order(), m = top.order();
    for (std::size_t k = 1; k <= n; ++k) {
      if (multiplicative_order(k, n) != m) continue;
      return semidirect_product(group, top, {{static_cast<Element>(k % n)}}, limits_);
    }
    cursor_.fail_at(at, fmt::format("a number that has order {} modulo {}: there is none", m, n),
                    fmt::format("C{} cannot act faithfully on C{}", m, n));
  }

  Group read_wreath() {
    Group group = read_power();
    while (cursor_.accept("wr")) group = wreath_product(group, read_power(), limits_);
    return group;
  }

  Group read_power() {
    Group group = read_atom();
    if (!cursor_.accept("^")) return group;
    const std::size_t at = (cursor_.peek(), cursor_.position());
    const std::uint64_t exponent = cursor_.number(kLargestPower);
    if (exponent == 0) cursor_.fail_at(at, "an exponent of at least 1");
    return direct_product(std::vector<Group>(exponent, group), limits_);
  }

  Group read_atom() {
    if (cursor_.accept("(")) {
      Group group = read_product();
      cursor_.expect(")");
      return group;
    }
    const std::size_t at = (cursor_.peek(), cursor_.position());
    const CatalogueEntry* best = nullptr;
    for (const CatalogueEntry& entry : catalogue()) {
      const bool matches = cursor_.text().substr(at, entry.symbol.size()) == entry.symbol;
      if (matches && (best == nullptr || entry.symbol.size() > best->symbol.size())) best = &entry;
    }
    if (best == nullptr) fail_with_examples(at);
    cursor_.expect(best->symbol);
    return best->numbered ? read_numbered(*best, at) : checked(*best, 0, std::string(best->symbol));
  }

  Group read_numbered(const CatalogueEntry& entry, std::size_t at) {
    cursor_.accept("_");
    const std::size_t number_at = (cursor_.peek(), cursor_.position());
    const auto n = static_cast<unsigned>(cursor_.number(kLargestNumber));
    if (n < entry.smallest || (n - entry.smallest) % entry.step != 0) {
      cursor_.fail_at(number_at, fmt::format("{}{}, {}{}, …", entry.symbol, entry.smallest,
                                             entry.symbol, entry.smallest + entry.step));
    }
    return checked(entry, n, std::string(cursor_.text().substr(at, cursor_.position() - at)));
  }

  Group checked(const CatalogueEntry& entry, unsigned n, const std::string& name) {
    check_order(name, entry.order(n), limits_.max_order);
    return entry.build(n, limits_);
  }

  [[noreturn]] void fail_with_examples(std::size_t at) {
    std::string names;
    for (const CatalogueEntry& entry : catalogue()) {
      names += (names.empty() ? "" : ", ") + std::string(entry.example);
    }
    cursor_.fail_at(at, "a group such as " + names,
                    "or give permutations \"(1,2,3);(1,2)\" or a presentation \"<r,s | r^3, s^2, "
                    "(r*s)^2>\"");
  }

  Cursor cursor_;
  const GroupLimits& limits_;
  int depth_ = 0;
};

}  // namespace

Group make_group(std::string_view spec, const GroupLimits& limits) {
  Cursor cursor(spec, "group");
  const char first = cursor.peek(), second = cursor.peek_second();
  if (first == '(' && (second == ')' || (second >= '0' && second <= '9'))) {
    return group_from_permutations(parse_permutations(spec), limits);
  }
  if (first == '<') return group_from_presentation(parse_presentation(spec), limits);
  if (first == '[') return group_from_table(parse_table(spec));
  return NameParser(spec, limits).read();
}

}  // namespace algprior
