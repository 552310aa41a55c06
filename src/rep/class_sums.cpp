#include "class_sums.hpp"

namespace algprior {

ClassSumOperator::ClassSumOperator(const Group& group, const PrimeField& field,
                                   const std::vector<std::uint32_t>& classes,
                                   const std::vector<std::uint32_t>& coefficients)
    : field_(field) {
  const ConjugacyClasses& all = group.classes();
  std::vector<std::uint32_t> dense(all.count(), 0), touched;
  start_.push_back(0);
  for (std::size_t c = 0; c < all.count(); ++c) {
    const Element g = all.representative(c);
    touched.clear();
    for (std::size_t j = 0; j < classes.size(); ++j) {
      for (const Element x : all.members[classes[j]]) {
        const std::uint32_t column = all.class_of[group.multiply_unchecked(x, g)];
        if (dense[column] == 0) touched.push_back(column);
        dense[column] = field_.add(dense[column], coefficients[j]);
      }
    }
    for (const std::uint32_t column : touched) {
      if (dense[column] != 0) entries_.push_back({column, dense[column]});
      dense[column] = 0;
    }
    start_.push_back(entries_.size());
  }
}

std::uint32_t ClassSumOperator::row(std::size_t c, const std::vector<std::uint32_t>& f) const {
  std::uint64_t sum = 0;
  for (std::size_t i = start_[c]; i < start_[c + 1]; ++i) {
    sum = field_.reduce(sum + std::uint64_t{entries_[i].coefficient} * f[entries_[i].column]);
  }
  return static_cast<std::uint32_t>(sum);
}

std::vector<std::uint32_t> ClassSumOperator::apply(const std::vector<std::uint32_t>& f) const {
  std::vector<std::uint32_t> image(f.size());
  for (std::size_t c = 0; c < f.size(); ++c) image[c] = row(c, f);
  return image;
}

}  // namespace algprior
