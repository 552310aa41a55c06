#include "algprior/base/interrupt.hpp"
#include "algprior/group/homomorphism.hpp"
#include "linear_characters.hpp"
#include "seed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace algprior {
namespace {

using Complex = std::complex<double>;

/// Beyond this a subgroup takes longer to search than the smaller multiplicity saves.
constexpr std::size_t kLargestSubgroup = 1024;

std::vector<std::size_t> primes_of(std::size_t n) {
  std::vector<std::size_t> primes;
  for (std::size_t p = 2; p <= n; ++p) {
    if (p * p > n) p = n;
    if (n % p != 0) continue;
    primes.push_back(p);
    while (n % p == 0) n /= p;
  }
  return primes;
}

bool normalises(const Subgroup& subgroup, Element g) {
  return std::all_of(subgroup.generators.begin(), subgroup.generators.end(),
                     [&](Element x) { return subgroup.contains(subgroup.group.conjugate(g, x)); });
}

/// A p-subgroup one step larger: a p-group that is not Sylow has an element g of its normaliser
/// outside, with g^p inside. Empty for a Sylow subgroup.
std::vector<Element> next_generators(const Subgroup& subgroup, std::size_t p) {
  const Group& group = subgroup.group;
  for (Element g = 1; g < group.order(); ++g) {
    if (g % 65536 == 0) throw_if_stopped();
    if (subgroup.contains(g) || !subgroup.contains(group.power(g, static_cast<std::int64_t>(p)))) {
      continue;
    }
    if (!normalises(subgroup, g)) continue;
    std::vector<Element> generators = subgroup.generators;
    generators.push_back(g);
    return generators;
  }
  return {};
}

/// Replaces the seed by one on this subgroup when λ occurs there less often.
void improve(const CharacterTable& table, std::size_t i, bool real, const Subgroup& subgroup,
             Seed& seed) {
  const Homomorphism into = inclusion(subgroup);
  const ConjugacyClasses& classes = into.source.classes();
  const auto e = static_cast<std::uint32_t>(exponent(into.source));
  const LinearCharacters linear(into.source, e);
  std::vector<Complex> sums(classes.count());  // of χ over the classes of H
  for (std::size_t c = 0; c < classes.count(); ++c) {
    const Element g = into(classes.representative(c));
    sums[c] = static_cast<double>(classes.members[c].size()) *
              table.value(i, table.group().classes().class_of[g]);
  }
  const auto root = [&](std::uint32_t log) {
    return std::polar(1.0, 2 * std::numbers::pi * log / e);
  };
  for (std::size_t l = 0; l < linear.count() && seed.multiplicity > 1; ++l) {
    const std::vector<std::uint32_t> logs = linear.logarithms(l);
    const bool is_real =
        std::all_of(logs.begin(), logs.end(), [&](std::uint32_t log) { return 2 * log % e == 0; });
    if (real && !is_real) continue;
    Complex sum = 0;
    for (std::size_t c = 0; c < logs.size(); ++c) sum += std::conj(root(logs[c])) * sums[c];
    const auto multiplicity =
        static_cast<std::size_t>(std::lround(sum.real() / static_cast<double>(subgroup.order())));
    if (multiplicity == 0 || multiplicity >= seed.multiplicity) continue;
    seed = {{}, {}, multiplicity};
    for (Element h = 0; h < into.source.order(); ++h) {
      seed.subgroup.push_back(into(h));
      seed.lambda.push_back(root(logs[classes.class_of[h]]));
    }
  }
}

}  // namespace

void improve_by_p_subgroups(const CharacterTable& table, std::size_t i, bool real, Seed& seed) {
  const Group& group = table.group();
  for (const std::size_t p : primes_of(group.order())) {
    Subgroup subgroup = generated_subgroup(group, {});
    while (seed.multiplicity > 1) {
      const std::vector<Element> generators = next_generators(subgroup, p);
      if (generators.empty() || p * subgroup.order() > kLargestSubgroup) break;
      subgroup = generated_subgroup(group, generators);
      improve(table, i, real, subgroup, seed);
    }
  }
}

}  // namespace algprior
