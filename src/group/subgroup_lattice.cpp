#include "algprior/base/error.hpp"
#include "algprior/group/subgroup.hpp"
#include "closure.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

namespace algprior {
namespace {

using Bits = std::vector<bool>;

struct Known {
  std::unordered_set<Bits> sets;
  std::size_t most;

  bool insert(const Bits& bits, const Group& group) {
    if (!sets.insert(bits).second) return false;
    if (sets.size() <= most) return true;
    throw LimitError({"too many subgroups",
                      fmt::format("more than {} in \"{}\", {} bytes each", most, group.name(),
                                  group.order() / 8 + 1),
                      fmt::format("at most {}", most),
                      "raise the bound or ask for normal subgroups"});
  }
};

void sort_by_order(std::vector<Subgroup>& subgroups) {
  std::stable_sort(subgroups.begin(), subgroups.end(), [](const Subgroup& a, const Subgroup& b) {
    return a.order() != b.order() ? a.order() < b.order() : a.elements < b.elements;
  });
}

bool is_prime_power(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p) {
    if (n % p != 0) continue;
    while (n % p == 0) n /= p;
    return n == 1;
  }
  return n > 1;
}

// One generator for each cyclic subgroup of prime-power order.
std::vector<Element> cyclic_generators(const Group& group) {
  std::vector<Element> result;
  std::vector<bool> covered(group.order(), false);
  for (Element g = 1; g < group.order(); ++g) {
    const std::size_t m = group.element_order(g);
    if (covered[g] || !is_prime_power(m)) continue;
    result.push_back(g);
    Element power = g;
    for (std::size_t k = 1; k < m; ++k, power = group.multiply_unchecked(power, g)) {
      if (std::gcd(k, m) == 1) covered[power] = true;
    }
  }
  return result;
}

// Marks every conjugate as known and returns how many there are.
std::size_t insert_conjugates(const Group& group, const Bits& first, Known& known) {
  std::vector<Bits> orbit{first};
  known.insert(first, group);
  for (std::size_t i = 0; i < orbit.size(); ++i) {
    for (const Element s : group.generators()) {
      Bits image(group.order(), false);
      for (Element g = 0; g < group.order(); ++g) {
        if (orbit[i][g]) image[group.conjugate(s, g)] = true;
      }
      if (known.insert(image, group)) orbit.push_back(std::move(image));
    }
  }
  return orbit.size();
}

}  // namespace

std::vector<Subgroup> normal_subgroups(const Group& group, std::size_t most) {
  Known known{{}, most};
  std::vector<Subgroup> principal;
  for (const auto& members : group.classes().members) {
    Closure closure(normal_closure(group, {members.front()}));
    if (known.insert(closure.member, group)) {
      principal.push_back(std::move(closure).to_subgroup());
    }
  }
  std::vector<Subgroup> result = principal;
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (const Subgroup& other : principal) {
      Closure join(result[i]);
      for (const Element g : other.generators) join.add(g);
      if (known.insert(join.member, group)) result.push_back(std::move(join).to_subgroup());
    }
  }
  sort_by_order(result);
  return result;
}

std::vector<SubgroupClass> subgroup_classes(const Group& group, std::size_t most) {
  constexpr std::size_t kLargest = 10'000;
  if (group.order() > kLargest) {
    throw LimitError({"the group is too large to list its subgroups",
                      fmt::format("\"{}\" of order {}", group.name(), group.order()),
                      fmt::format("order at most {}", kLargest), "ask for its normal subgroups"});
  }
  const std::vector<Element> extensions = cyclic_generators(group);
  Known known{{}, most};
  std::vector<SubgroupClass> result;
  const auto add = [&](Closure closure) {
    if (known.sets.count(closure.member) != 0) return;
    const std::size_t size = insert_conjugates(group, closure.member, known);
    result.push_back({std::move(closure).to_subgroup(), size});
  };
  add(Closure(group));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Closure base(result[i].representative);
    for (const Element x : extensions) {
      if (base.contains(x)) continue;
      Closure extended = base;
      extended.add(x);
      add(std::move(extended));
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const SubgroupClass& a, const SubgroupClass& b) {
                     return a.representative.order() != b.representative.order()
                                ? a.representative.order() < b.representative.order()
                                : a.representative.elements < b.representative.elements;
                   });
  return result;
}

}  // namespace algprior
