#include "algprior/group/multiplication_table.hpp"

#include "algprior/base/error.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace algprior {
namespace {

using Table = std::vector<std::vector<Element>>;

[[noreturn]] void refuse(const std::string& axiom, const std::string& elements) {
  throw InputError({"the multiplication table is no group", axiom + ": " + elements,
                    "a closed, associative product with an identity and inverses", ""});
}

void check_closed(const Table& table) {
  const std::size_t n = table.size();
  if (n == 0) refuse("identity", "the table is empty");
  for (std::size_t g = 0; g < n; ++g) {
    if (table[g].size() != n) {
      refuse("closure", fmt::format("row {} has {} entries and not {}", g, table[g].size(), n));
    }
    for (std::size_t h = 0; h < n; ++h) {
      if (table[g][h] >= n) {
        refuse("closure",
               fmt::format("{}*{} = {} is no element of 0 … {}", g, h, table[g][h], n - 1));
      }
    }
  }
}

Element identity_of(const Table& table) {
  const std::size_t n = table.size();
  for (std::size_t e = 0; e < n; ++e) {
    bool neutral = true;
    for (std::size_t g = 0; neutral && g < n; ++g) neutral = table[e][g] == g && table[g][e] == g;
    if (neutral) return static_cast<Element>(e);
  }
  refuse("identity", "no element e has e*g = g*e = g for all g");
}

// With cancellation on both sides every equation a·x = b and x·a = b has one solution, so inverses
// exist.
void check_cancellation(const Table& table) {
  const std::size_t n = table.size();
  constexpr Element kFree = 0xffffffffu;
  for (std::size_t g = 0; g < n; ++g) {
    std::vector<Element> in_row(n, kFree), in_column(n, kFree);
    for (std::size_t h = 0; h < n; ++h) {
      Element& row = in_row[table[g][h]];
      Element& column = in_column[table[h][g]];
      if (row != kFree) {
        refuse("inverses", fmt::format("{0}*{1} = {0}*{2}, so {0} cannot be cancelled", g, row, h));
      }
      if (column != kFree) {
        refuse("inverses",
               fmt::format("{1}*{0} = {2}*{0}, so {0} cannot be cancelled", g, column, h));
      }
      row = column = static_cast<Element>(h);
    }
  }
}

// Elements from which right multiplication reaches all others.
std::vector<Element> generating_set(const Table& table) {
  std::vector<bool> reached(table.size(), false);
  std::vector<Element> queue{0}, generators;
  reached[0] = true;
  for (Element candidate = 1; candidate < table.size(); ++candidate) {
    if (reached[candidate]) continue;
    generators.push_back(candidate);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const Element s : generators) {
        const Element next = table[queue[i]][s];
        if (reached[next]) continue;
        reached[next] = true;
        queue.push_back(next);
      }
    }
  }
  return generators;
}

// Light's test: the elements s with (g·s)·h = g·(s·h) for all g, h are closed under products.
void check_associative(const Table& table, const std::vector<Element>& generators,
                       const std::vector<Element>& old) {
  const std::size_t n = table.size();
  for (const Element s : generators) {
    for (std::size_t g = 0; g < n; ++g) {
      for (std::size_t h = 0; h < n; ++h) {
        const Element left = table[table[g][s]][h], right = table[g][table[s][h]];
        if (left == right) continue;
        refuse("associativity", fmt::format("({0}*{1})*{2} = {3} but {0}*({1}*{2}) = {4}", old[g],
                                            old[s], old[h], old[left], old[right]));
      }
    }
  }
}

}  // namespace

Group group_from_table(const Table& given) {
  check_closed(given);
  const std::size_t n = given.size();
  const Element identity = identity_of(given);
  check_cancellation(given);
  std::vector<Element> old{identity}, fresh(n, 0);
  for (Element g = 0; g < n; ++g) {
    if (g == identity) continue;
    fresh[g] = static_cast<Element>(old.size());
    old.push_back(g);
  }
  Table table(n, std::vector<Element>(n));
  for (std::size_t g = 0; g < n; ++g) {
    for (std::size_t h = 0; h < n; ++h) table[g][h] = fresh[given[old[g]][old[h]]];
  }
  const std::vector<Element> generators = generating_set(table);
  check_associative(table, generators, old);
  Blueprint data;
  data.name = fmt::format("table of order {}", n);
  data.order = n;
  data.generator_names = default_generator_names(generators.size());
  for (const Element s : generators) {
    std::vector<Element> column(n);
    for (std::size_t g = 0; g < n; ++g) column[g] = table[g][s];
    data.right.push_back(std::move(column));
  }
  return assemble(std::move(data));
}

}  // namespace algprior
