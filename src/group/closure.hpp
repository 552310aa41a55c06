#pragma once

#include "algprior/group/subgroup.hpp"

namespace algprior {

/// A subgroup that grows by one element at a time (Dimino's method): the new elements are cosets of
/// the old subgroup, so each is made by one product.
struct Closure {
  explicit Closure(const Group& g) : group(g), member(g.order(), false) { member[0] = true; }
  /// Continues from a finished subgroup.
  explicit Closure(const Subgroup& subgroup)
      : group(subgroup.group),
        elements(subgroup.elements),
        generators(subgroup.generators),
        member(subgroup.group.order(), false) {
    for (const Element g : elements) member[g] = true;
  }

  bool contains(Element g) const { return member[g]; }
  void add(Element x);
  Subgroup to_subgroup() &&;

  Group group;
  std::vector<Element> elements{0};
  std::vector<Element> generators;
  std::vector<bool> member;
};

}  // namespace algprior
