#include "algprior/rep/detail/power_map.hpp"

#include <numeric>

namespace algprior {

PowerMap::PowerMap(const Group& group) {
  const ConjugacyClasses& classes = group.classes();
  constexpr std::uint32_t kUnset = ~0u;
  position_.assign(classes.count(), {kUnset, 0});
  for (std::size_t c = 0; c < classes.count(); ++c) {
    if (position_[c].s != kUnset) continue;
    const Element g = classes.representative(c);
    std::vector<std::uint32_t> powers{classes.class_of[Group::identity()]};
    for (Element x = g; x != Group::identity(); x = group.multiply_unchecked(x, g)) {
      powers.push_back(classes.class_of[x]);
    }
    const auto order = static_cast<std::uint32_t>(powers.size());
    const auto s = static_cast<std::uint32_t>(cyclic_.size());
    for (std::uint32_t t = 0; t < order; ++t) {
      if (std::gcd(t, order) == 1 && position_[powers[t]].s == kUnset) {
        position_[powers[t]] = {s, t};
      }
    }
    exponent_ = std::lcm(exponent_, order);
    cyclic_.push_back(std::move(powers));
  }
}

std::uint32_t PowerMap::power(std::size_t c, std::int64_t n) const {
  const auto [s, t] = position_[c];
  const auto order = static_cast<std::int64_t>(cyclic_[s].size());
  const std::int64_t reduced = (n % order + order) % order;
  return cyclic_[s][static_cast<std::size_t>(reduced * t % order)];
}

std::uint32_t PowerMap::element_order(std::size_t c) const {
  return static_cast<std::uint32_t>(cyclic_[position_[c].s].size());
}

}  // namespace algprior
