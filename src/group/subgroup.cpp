#include "algprior/group/subgroup.hpp"

#include "closure.hpp"
#include "state.hpp"

#include <algorithm>
#include <numeric>

namespace algprior {

void Closure::add(Element x) {
  if (contains(x)) return;
  generators.push_back(x);
  const std::size_t before = elements.size();  // H; what follows are cosets H·y
  std::vector<Element> representatives{0};
  for (std::size_t i = 0; i < representatives.size(); ++i) {
    for (const Element s : generators) {
      const Element y = group.multiply_unchecked(representatives[i], s);
      if (contains(y)) continue;
      representatives.push_back(y);
      for (std::size_t h = 0; h < before; ++h) {
        const Element z = group.multiply_unchecked(elements[h], y);
        member[z] = true;
        elements.push_back(z);
      }
    }
  }
}

Subgroup Closure::to_subgroup() && {
  std::sort(elements.begin(), elements.end());
  return {group, std::move(elements), std::move(generators)};
}

namespace {

// The subgroup that is known to consist of exactly these elements.
Subgroup with_elements(const Group& group, const std::vector<Element>& elements) {
  Closure closure(group);
  for (const Element g : elements) closure.add(g);
  return std::move(closure).to_subgroup();
}

template <typename Keep>
Subgroup filtered(const Group& group, Keep keep) {
  std::vector<Element> kept;
  for (Element g = 0; g < group.order(); ++g) {
    if (keep(g)) kept.push_back(g);
  }
  return with_elements(group, kept);
}

template <typename Product>
std::vector<std::vector<Element>> cosets(const Subgroup& subgroup, Product product) {
  std::vector<std::vector<Element>> result;
  std::vector<bool> seen(subgroup.group.order(), false);
  for (Element g = 0; g < seen.size(); ++g) {
    if (seen[g]) continue;
    std::vector<Element> coset;
    for (const Element h : subgroup.elements) coset.push_back(product(g, h));
    for (const Element x : coset) seen[x] = true;
    std::sort(coset.begin(), coset.end());
    result.push_back(std::move(coset));
  }
  return result;
}

}  // namespace

bool Subgroup::contains(Element g) const {
  return std::binary_search(elements.begin(), elements.end(), g);
}

Subgroup generated_subgroup(const Group& group, const std::vector<Element>& elements) {
  for (const Element g : elements) group.inverse(g);  // validates
  return with_elements(group, elements);
}

Subgroup normal_closure(const Group& group, const std::vector<Element>& elements) {
  for (const Element g : elements) group.inverse(g);  // validates
  Closure closure(group);
  for (const Element g : elements) closure.add(g);
  for (std::size_t i = 0; i < closure.generators.size(); ++i) {
    for (const Element s : group.generators()) {
      closure.add(group.conjugate(s, closure.generators[i]));
    }
  }
  return std::move(closure).to_subgroup();
}

Subgroup center(const Group& group) {
  const auto& state = group.state();
  return filtered(group, [&](Element g) {
    for (std::size_t s = 0; s < state.left.size(); ++s) {
      if (state.left[s][g] != state.data.right[s][g]) return false;
    }
    return true;
  });
}

Subgroup derived_subgroup(const Group& group) {
  std::vector<Element> commutators;
  for (const Element a : group.generators()) {
    for (const Element b : group.generators()) {
      commutators.push_back(group.multiply(group.conjugate(a, b), group.inverse(b)));
    }
  }
  return normal_closure(group, commutators);
}

Subgroup centralizer(const Group& group, Element x) {
  group.inverse(x);  // validates
  return filtered(group, [&](Element g) {
    return group.multiply_unchecked(g, x) == group.multiply_unchecked(x, g);
  });
}

Subgroup normalizer(const Subgroup& subgroup) {
  return filtered(subgroup.group, [&](Element g) {
    return std::all_of(subgroup.generators.begin(), subgroup.generators.end(), [&](Element h) {
      return subgroup.contains(subgroup.group.conjugate(g, h));
    });
  });
}

bool is_abelian(const Group& group) {
  for (const Element a : group.generators()) {
    for (const Element b : group.generators()) {
      if (group.multiply(a, b) != group.multiply(b, a)) return false;
    }
  }
  return true;
}

bool is_normal(const Subgroup& subgroup) {
  for (const Element s : subgroup.group.generators()) {
    for (const Element h : subgroup.generators) {
      if (!subgroup.contains(subgroup.group.conjugate(s, h))) return false;
    }
  }
  return true;
}

std::size_t exponent(const Group& group) {
  std::size_t result = 1;
  for (const auto& members : group.classes().members) {
    result = std::lcm(result, group.element_order(members.front()));
  }
  return result;
}

std::vector<std::vector<Element>> left_cosets(const Subgroup& subgroup) {
  const Group& group = subgroup.group;
  return cosets(subgroup, [&](Element g, Element h) { return group.multiply_unchecked(g, h); });
}

std::vector<std::vector<Element>> right_cosets(const Subgroup& subgroup) {
  const Group& group = subgroup.group;
  return cosets(subgroup, [&](Element g, Element h) { return group.multiply_unchecked(h, g); });
}

}  // namespace algprior
