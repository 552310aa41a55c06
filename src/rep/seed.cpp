#include "seed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace algprior {
namespace {

using Complex = std::complex<double>;

Complex root_of_unity(std::size_t n, std::size_t k) {
  return std::polar(1.0,
                    2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n));
}

/// ⟨χ|_⟨g⟩, λ_k⟩ for λ_k(g) = exp(2πik/n), from χ on the powers of g.
std::size_t multiplicity_on_cyclic(const std::vector<Complex>& values,
                                   const std::vector<std::uint32_t>& powers, std::size_t k) {
  const std::size_t n = powers.size();
  Complex sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += values[powers[j]] * std::conj(root_of_unity(n, j * k));
  return static_cast<std::size_t>(std::lround(sum.real() / static_cast<double>(n)));
}

}  // namespace

Seed find_seed(const CharacterTable& table, std::size_t i, bool real) {
  const Group& group = table.group();
  const std::vector<Complex> values = table.values(i);
  const auto& cyclic = table.powers().cyclic();
  std::vector<std::size_t> by_order(cyclic.size());
  std::iota(by_order.begin(), by_order.end(), std::size_t{0});
  std::stable_sort(by_order.begin(), by_order.end(), [&](std::size_t a, std::size_t b) {
    return cyclic[a].size() < cyclic[b].size();
  });

  std::size_t best = static_cast<std::size_t>(table.degree(i)) + 1, best_subgroup = 0, best_k = 0;
  for (std::size_t s : by_order) {
    const std::size_t n = cyclic[s].size();
    for (std::size_t k = 0; k < n && best > 1; ++k) {
      if (real && 2 * k % n != 0) continue;
      const std::size_t multiplicity = multiplicity_on_cyclic(values, cyclic[s], k);
      if (multiplicity == 0 || multiplicity >= best) continue;
      best = multiplicity;
      best_subgroup = s;
      best_k = k;
    }
  }

  const std::size_t n = cyclic[best_subgroup].size();
  const Element g =
      n == 1 ? Group::identity() : group.classes().representative(cyclic[best_subgroup][1]);
  Seed seed{{}, {}, best};
  Element power = Group::identity();
  for (std::size_t j = 0; j < n; ++j) {
    seed.subgroup.push_back(power);
    seed.lambda.push_back(root_of_unity(n, j * best_k));
    power = group.multiply_unchecked(power, g);
  }
  // Translates of a vector span `multiplicity` copies, and their splitting grows with the third
  // power.
  constexpr std::size_t kLargestQuickRank = 100;
  if (best > 1 && best * static_cast<std::size_t>(table.degree(i)) > kLargestQuickRank) {
    improve_by_p_subgroups(table, i, real, seed);
  }
  return seed;
}

}  // namespace algprior
