#include "modular_characters.hpp"

#include "class_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

namespace algprior {
namespace {

/// Units that generate (Z/n)*: −1 and small numbers, each outside the group of those before it.
std::vector<std::uint32_t> unit_generators(std::uint32_t n) {
  std::vector<std::uint32_t> generators;
  if (n <= 2) return generators;
  std::vector<bool> reached(n, false);
  std::vector<std::uint32_t> subgroup{1};
  reached[1] = true;
  const auto adjoin = [&](std::uint32_t t) {
    if (std::gcd(t, n) != 1 || reached[t]) return;
    generators.push_back(t);
    const std::vector<std::uint32_t> before = subgroup;
    for (std::uint64_t power = t; !reached[power]; power = power * t % n) {
      for (const std::uint32_t s : before) {
        const auto element = static_cast<std::uint32_t>(s * power % n);
        reached[element] = true;
        subgroup.push_back(element);
      }
    }
  };
  adjoin(n - 1);
  for (std::uint32_t t = 2; t < n; ++t) adjoin(t);
  return generators;
}

}  // namespace

ModularCharacters::ModularCharacters(const Group& group, const PowerMap& powers,
                                     const LinearCharacters& linear, const ProgressSink& progress)
    : group_(group),
      powers_(powers),
      progress_(progress),
      field_(splitting_prime(powers.exponent())),
      root_(primitive_root_of_unity(field_, powers.exponent())) {
  const std::size_t k = group.classes().count();
  std::mt19937_64 random(k);
  for (std::size_t c = 0; c < k; ++c) hash_weights_.push_back(random() | 1);

  Row roots(powers.exponent(), 1);
  for (std::size_t e = 1; e < roots.size(); ++e) roots[e] = field_.multiply(roots[e - 1], root_);
  for (std::size_t i = 0; i < linear.count(); ++i) {
    Row row = linear.logarithms(i);
    for (std::uint32_t& value : row) value = roots[value];
    insert(std::move(row));
  }
  for (const std::size_t i : linear.generators()) twists_.push_back(rows_[i]);
  for (const std::uint32_t t : unit_generators(powers.exponent())) {
    Row permutation(k);
    for (std::size_t c = 0; c < k; ++c) permutation[c] = powers.power(c, t);
    const bool known = std::find(galois_.begin(), galois_.end(), permutation) != galois_.end();
    if (!known && !std::is_sorted(permutation.begin(), permutation.end())) {
      galois_.push_back(std::move(permutation));
    }
  }

  // Few small classes usually separate the characters; all classes always do. A failure costs less
  // than the next attempt, whose operator has four times the entries.
  std::size_t budget = 16;
  for (std::uint64_t seed = 1; rows_.size() < k; ++seed) {
    split(budget, seed);
    budget = std::min(4 * budget, group.order());
    if (seed > 64) throw std::logic_error("the class sums do not separate the characters");
  }
  std::size_t squares = 0;
  for (const Row& row : rows_) squares += std::size_t{row[0]} * row[0];
  if (rows_.size() != k || squares != group.order()) {
    throw std::logic_error("the characters found do not fill the regular representation");
  }
}

std::uint64_t ModularCharacters::fingerprint(const Row& row) const {
  std::uint64_t hash = 0;
  for (std::size_t c = 0; c < row.size(); ++c) hash += hash_weights_[c] * row[c];
  return hash;
}

bool ModularCharacters::insert(Row row) {
  const bool is_new = found_.emplace(fingerprint(row), rows_.size()).second;
  if (is_new) rows_.push_back(std::move(row));
  return is_new;
}

void ModularCharacters::insert_orbit(Row row) {
  std::size_t next = rows_.size();
  insert(std::move(row));
  for (; next < rows_.size(); ++next) {
    const std::size_t k = rows_[next].size();
    Row image(k);
    for (const Row& permutation : galois_) {
      for (std::size_t c = 0; c < k; ++c) image[c] = rows_[next][permutation[c]];
      insert(image);
    }
    for (const Row& twist : twists_) {
      for (std::size_t c = 0; c < k; ++c) image[c] = field_.multiply(rows_[next][c], twist[c]);
      insert(image);
    }
  }
}

/// Finds the missing characters as eigenvectors of one operator on smallest classes with about
/// `budget` elements; finds nothing when the operator does not separate them.
void ModularCharacters::split(std::size_t budget, std::uint64_t seed) {
  const ConjugacyClasses& classes = group_.classes();
  const std::size_t k = classes.count();
  const std::size_t missing = k - rows_.size();

  // δ_e = Σ_χ χ(e)/|G| χ has every character in it; what is known is taken out.
  const std::uint32_t order = field_.from_integer(static_cast<std::int64_t>(group_.order()));
  const std::uint32_t scale = field_.inverse(order);
  Row start(k, 0);
  start[0] = 1;
  for (const Row& row : rows_) {
    const std::uint32_t weight = field_.subtract(0, field_.multiply(row[0], scale));
    for (std::size_t c = 0; c < k; ++c) {
      start[c] = field_.reduce(start[c] + std::uint64_t{weight} * row[c]);
    }
  }

  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> by_size(k - 1), chosen, coefficients;
  std::iota(by_size.begin(), by_size.end(), 1u);
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::uint32_t a, std::uint32_t b) {
    return classes.members[a].size() < classes.members[b].size();
  });
  std::size_t elements = 0;
  for (const std::uint32_t c : by_size) {
    if (elements >= budget) break;
    elements += classes.members[c].size();
    chosen.push_back(c);
    coefficients.push_back(1 + static_cast<std::uint32_t>(random() % (field_.p() - 1)));
  }
  const ClassSumOperator multiply(group_, field_, chosen, coefficients);

  Row probe(k);
  for (std::uint32_t& value : probe) value = field_.reduce(random());
  std::vector<Row> krylov{start};
  Row sequence, current = start;
  for (std::size_t n = 0; n < 2 * missing; ++n) {
    report_progress(progress_, rows_.size(), k);
    std::uint64_t dot = 0;
    for (std::size_t c = 0; c < k; ++c) {
      dot = field_.reduce(dot + std::uint64_t{probe[c]} * current[c]);
    }
    sequence.push_back(static_cast<std::uint32_t>(dot));
    current = multiply.apply(current);
    if (krylov.size() < missing) krylov.push_back(current);
  }
  const Polynomial characteristic = minimal_polynomial(field_, sequence);
  if (characteristic.size() != missing + 1) return;

  Polynomial rest = characteristic;
  while (rest.size() > 1) {
    report_progress(progress_, rows_.size(), k);
    const std::uint32_t eigenvalue = find_root(field_, rest, seed);
    const Polynomial projector = divide_root(field_, characteristic, eigenvalue);
    const std::uint32_t norm =
        field_.multiply(order, field_.inverse(evaluate(field_, projector, eigenvalue)));
    Row row(k, 0);  // becomes χ(e) χ
    for (std::size_t n = 0; n < missing; ++n) {
      const std::uint64_t weight = field_.multiply(projector[n], norm);
      for (std::size_t c = 0; c < k; ++c) row[c] = field_.reduce(row[c] + weight * krylov[n][c]);
    }
    const auto degree = static_cast<std::uint32_t>(std::lround(std::sqrt(row[0])));
    if (degree * degree != row[0]) throw std::logic_error("an eigenvector is no character");
    const std::uint32_t inverse = field_.inverse(degree);
    for (std::uint32_t& value : row) value = field_.multiply(value, inverse);

    const std::size_t first = rows_.size();
    insert_orbit(std::move(row));
    if (rows_.size() == first) throw std::logic_error("a character was found twice");
    for (std::size_t i = first; i < rows_.size(); ++i) {
      const std::uint32_t image = multiply.apply_at_identity(rows_[i]);
      rest = divide_root(field_, rest, field_.multiply(image, field_.inverse(rows_[i][0])));
    }
  }
}

int ModularCharacters::frobenius_schur(std::size_t i) const {
  const ConjugacyClasses& classes = group_.classes();
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < classes.count(); ++c) {
    const std::uint64_t size = classes.members[c].size();
    sum = field_.reduce(sum + size * rows_[i][powers_.power(c, 2)]);
  }
  if (sum == 0) return 0;
  return sum == group_.order() ? 1 : -1;
}

std::size_t ModularCharacters::galois_conjugate(
    std::size_t i, const std::vector<std::uint32_t>& permutation) const {
  Row image(permutation.size());
  for (std::size_t c = 0; c < image.size(); ++c) image[c] = rows_[i][permutation[c]];
  return found_.at(fingerprint(image));
}

}  // namespace algprior
