#include "linear_characters.hpp"

#include "algprior/group/subgroup.hpp"

namespace algprior {

LinearCharacters::LinearCharacters(const Group& group, std::uint32_t exponent)
    : exponent_(exponent) {
  const Subgroup derived = derived_subgroup(group);
  constexpr std::uint32_t kUnset = ~0u;
  std::vector<std::uint32_t> coset_of(group.order(), kUnset);
  std::vector<Element> cosets;
  for (Element g = 0; g < group.order(); ++g) {
    if (coset_of[g] != kUnset) continue;
    for (const Element h : derived.elements) {
      coset_of[group.multiply_unchecked(g, h)] = static_cast<std::uint32_t>(cosets.size());
    }
    cosets.push_back(g);
  }

  std::vector<std::vector<std::uint32_t>> coordinates(cosets.size());
  std::vector<bool> reached(cosets.size(), false);
  std::vector<std::uint32_t> subgroup{0};
  reached[0] = true;
  for (const Element x : group.generators()) {
    if (reached[coset_of[x]]) continue;
    const std::vector<std::uint32_t> before = subgroup;
    Element power = x;
    std::uint32_t r = 1;
    for (; !reached[coset_of[power]]; ++r, power = group.multiply_unchecked(power, x)) {
      for (const std::uint32_t h : before) {
        const std::uint32_t coset = coset_of[group.multiply_unchecked(power, cosets[h])];
        subgroup.push_back(coset);
        reached[coset] = true;
        coordinates[coset] = coordinates[h];
        coordinates[coset].resize(steps_.size() + 1, 0);
        coordinates[coset].back() = r;
      }
    }
    steps_.push_back({r, coordinates[coset_of[power]]});
    count_ *= r;
  }
  const ConjugacyClasses& classes = group.classes();
  for (std::size_t c = 0; c < classes.count(); ++c) {
    coordinates_.push_back(coordinates[coset_of[classes.representative(c)]]);
  }
}

std::vector<std::uint32_t> LinearCharacters::logarithms(std::size_t i) const {
  std::vector<std::uint64_t> on_generator;
  for (const Step& step : steps_) {
    std::uint64_t relation = 0;
    for (std::size_t m = 0; m < step.relation.size(); ++m) {
      relation += step.relation[m] * on_generator[m];
    }
    const std::uint64_t choice = i % step.order;
    i /= step.order;
    on_generator.push_back((relation % exponent_ + choice * exponent_) / step.order);
  }
  std::vector<std::uint32_t> result;
  result.reserve(coordinates_.size());
  for (const auto& coordinates : coordinates_) {
    std::uint64_t sum = 0;
    for (std::size_t m = 0; m < coordinates.size(); ++m) sum += coordinates[m] * on_generator[m];
    result.push_back(static_cast<std::uint32_t>(sum % exponent_));
  }
  return result;
}

std::vector<std::size_t> LinearCharacters::generators() const {
  std::vector<std::size_t> numbers;
  std::size_t place = 1;
  for (const Step& step : steps_) {
    numbers.push_back(place);
    place *= step.order;
  }
  return numbers;
}

}  // namespace algprior
