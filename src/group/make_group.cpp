#include "algprior/group/make_group.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/catalogue.hpp"
#include "algprior/group/detail/cursor.hpp"
#include "algprior/group/multiplication_table.hpp"
#include "algprior/group/permutation.hpp"
#include "algprior/group/presentation.hpp"
#include "algprior/group/product.hpp"
#include "linear_groups.hpp"
#include "state.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::uint64_t kLargestNumber = 1'000'000'000;
constexpr std::uint64_t kLargestPower = 64;
constexpr int kDeepestName = 50;

std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t n) {
  std::uint64_t result = 1 % n;
  for (base %= n; exponent != 0; exponent >>= 1, base = base * base % n) {
    if (exponent & 1) result = result * base % n;
  }
  return result;
}

// The numbers of order m modulo n, of those that generate the same subgroup the smallest: the ways
// in which C_m acts faithfully on C_n.
std::vector<std::uint64_t> faithful_actions(std::uint64_t n, std::uint64_t m) {
  std::vector<std::uint64_t> proper;  // m divided by each of its primes
  for (std::uint64_t rest = m, p = 2; rest > 1; ++p) {
    if (p * p > rest) p = rest;
    if (rest % p != 0) continue;
    proper.push_back(m / p);
    while (rest % p == 0) rest /= p;
  }
  std::vector<bool> seen(n + 1, false);
  std::vector<std::uint64_t> actions;
  for (std::uint64_t k = 1; k <= n; ++k) {
    if (seen[k] || std::gcd(k, n) != 1 || power_modulo(k, m, n) != 1 % n) continue;
    const bool faithful = std::none_of(proper.begin(), proper.end(), [&](std::uint64_t part) {
      return power_modulo(k, part, n) == 1 % n;
    });
    if (!faithful) continue;
    actions.push_back(k);
    std::uint64_t power = k % n;
    for (std::uint64_t j = 1; j < m; ++j, power = power * k % n) {
      if (std::gcd(j, m) == 1) seen[power] = true;
    }
  }
  return actions;
}

constexpr std::pair<std::string_view, LinearKind> kLinearSymbols[] = {
    {"PSL", LinearKind::kProjectiveSpecial},
    {"PGL", LinearKind::kProjectiveGeneral},
    {"SL", LinearKind::kSpecial},
    {"GL", LinearKind::kGeneral}};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
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
    if (!cursor_.accept(":") && !cursor_.accept("⋊")) return group;
    const char next = cursor_.peek();
    const bool chosen = next >= '0' && next <= '9';
    const std::size_t number_at = cursor_.position();
    std::uint64_t k = chosen ? cursor_.number(kLargestNumber) : 0;
    const Group top = read_wreath();
    if (group.generators().size() != 1 || top.generators().size() != 1) {
      cursor_.fail_at(at, "cyclic groups on both sides, as in C7:C3",
                      "build other semidirect products with semidirect_product");
    }
    const std::size_t n = group.order(), m = top.order();
    check_order(group.name() + ":" + top.name(), static_cast<double>(n) * static_cast<double>(m),
                limits_.max_order);
    if (chosen && (std::gcd<std::uint64_t>(k, n) != 1 || power_modulo(k, m, n) != 1 % n)) {
      cursor_.fail_at(number_at, fmt::format("a number whose power {} is 1 modulo {}", m, n),
                      fmt::format("write {}:{} to have one chosen", group.name(), top.name()));
    }
    const std::vector<std::uint64_t> actions = faithful_actions(n, m);
    if (!chosen && actions.empty()) {
      cursor_.fail_at(at, fmt::format("a number that has order {} modulo {}: there is none", m, n),
                      fmt::format("C{} cannot act faithfully on C{}", m, n));
    }
    return act_cyclically(group, top, chosen ? k : actions.front(), actions, chosen);
  }

  // The name says which action was taken wherever there is a choice.
  Group act_cyclically(const Group& group, const Group& top, std::uint64_t k,
                       const std::vector<std::uint64_t>& actions, bool chosen) {
    Blueprint data =
        semidirect_blueprint(group, top, {{static_cast<Element>(k % group.order())}}, limits_);
    if (actions == std::vector<std::uint64_t>{k}) return assemble(std::move(data));
    const auto name_of = [&](std::uint64_t action) {
      return fmt::format("{}:{}{}", group.name(), action, top.name());
    };
    data.name = name_of(k);
    constexpr std::size_t kMostNamed = 8;
    std::string others;
    std::size_t count = 0;
    for (const std::uint64_t action : actions) {
      if (action == k) continue;
      if (++count <= kMostNamed) others += (others.empty() ? "" : ", ") + name_of(action);
    }
    if (count > kMostNamed) others += fmt::format(", and {} more", count - kMostNamed);
    if (!chosen) {
      data.remark = fmt::format(
          "{}:{} names several groups; this is {}, where the second generator makes the first its "
          "power {}; the others: {}",
          group.name(), top.name(), data.name, k, others);
    }
    return assemble(std::move(data));
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
    for (const auto& [symbol, kind] : kLinearSymbols) {
      if (same_letters(cursor_.text().substr(at, symbol.size()), symbol)) {
        return read_linear(kind, cursor_.text().substr(at, symbol.size()), at);
      }
    }
    const CatalogueEntry* best = nullptr;
    for (const CatalogueEntry& entry : catalogue()) {
      const bool matches =
          same_letters(cursor_.text().substr(at, entry.symbol.size()), entry.symbol);
      if (matches && (best == nullptr || entry.symbol.size() > best->symbol.size())) best = &entry;
    }
    if (best == nullptr) fail_with_examples(at);
    cursor_.expect(cursor_.text().substr(at, best->symbol.size()));
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

  // "SL(2,3)", also as SL2(3) and SL_2(3).
  Group read_linear(LinearKind kind, std::string_view symbol, std::size_t at) {
    cursor_.expect(symbol);
    cursor_.accept("_");
    const bool size_first = cursor_.peek() != '(';
    if (!size_first) cursor_.expect("(");
    const std::size_t size_at = (cursor_.peek(), cursor_.position());
    const auto n = static_cast<unsigned>(cursor_.number(kLargestLinearSize));
    if (n < 2) cursor_.fail_at(size_at, "matrices of size 2 or more");
    if (!cursor_.accept(size_first ? "(" : ",")) {
      cursor_.fail_at(at, fmt::format("{}(2,3): a size and a field", symbol));
    }
    const std::size_t field_at = (cursor_.peek(), cursor_.position());
    const auto q = static_cast<unsigned>(cursor_.number(kLargestField));
    if (!is_prime_power(q)) {
      cursor_.fail_at(field_at, "the size of a finite field: a power of a prime");
    }
    cursor_.expect(")");
    return linear_group(kind, n, q, limits_);
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
    cursor_.fail_at(at, "a group such as " + names + ", SL(2,3), PSL(2,7)",
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
