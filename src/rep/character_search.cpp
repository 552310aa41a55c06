#include "algprior/group/product.hpp"
#include "character_state.hpp"
#include "linear_characters.hpp"
#include "modular_characters.hpp"

#include <algorithm>
#include <cstdint>

namespace algprior {
namespace {

std::uint64_t hash(const Cyclotomic& value) {
  std::uint64_t h = value.conductor();
  const auto mix = [&](std::uint64_t x) { h = (h ^ x) * 0x9E3779B97F4A7C15u + (h >> 29); };
  for (const auto& t : value.terms()) {
    mix(t.exponent);
    mix(static_cast<std::uint64_t>(t.coefficient));
  }
  return h;
}

/// The values of one character from its residues. On a cyclic subgroup ⟨g⟩ of order m it is a sum
/// of roots of unity; the multiplicity of ζ_m^j is a Fourier coefficient, an integer of 0 … χ(e) <
/// p.
std::vector<std::uint32_t> lift(const ModularCharacters& modular, const PowerMap& powers,
                                const std::vector<std::uint32_t>& row, ValuePool& pool) {
  const PrimeField& field = modular.field();
  std::vector<std::vector<Cyclotomic::Term>> eigenvalues;
  for (const auto& cyclic : powers.cyclic()) {
    const auto m = static_cast<std::uint32_t>(cyclic.size());
    std::vector<std::uint32_t> values(m);
    for (std::uint32_t i = 0; i < m; ++i) values[i] = row[cyclic[i]];
    const std::uint32_t w = field.power(modular.root(), powers.exponent() / m);
    const std::vector<std::uint32_t> coefficients = fourier_transform(field, values, w);
    const std::uint32_t scale = field.inverse(m);
    auto& terms = eigenvalues.emplace_back();
    for (std::uint32_t j = 0; j < m; ++j) {
      if (coefficients[j] != 0) terms.push_back({j, field.multiply(coefficients[j], scale)});
    }
  }
  std::vector<std::uint32_t> lifted(row.size());
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto [s, t] = powers.position(c);
    const auto m = static_cast<std::uint32_t>(powers.cyclic()[s].size());
    std::vector<Cyclotomic::Term> terms = eigenvalues[s];
    for (auto& term : terms) {
      term.exponent = static_cast<std::uint32_t>(std::uint64_t{term.exponent} * t % m);
    }
    lifted[c] = pool.intern(Cyclotomic::sum(m, terms));
  }
  return lifted;
}

void append_linear(const LinearCharacters& linear, const PowerMap& powers, RawCharacters& raw) {
  const std::uint32_t exponent = powers.exponent();
  constexpr std::uint32_t kUnset = ~0u;
  std::vector<std::uint32_t> roots(exponent, kUnset);
  for (std::size_t i = 0; i < linear.count(); ++i) {
    std::vector<std::uint32_t> row = linear.logarithms(i);
    bool real = true;
    for (std::uint32_t& value : row) {
      const std::uint32_t log = value;
      real = real && (2 * log) % exponent == 0;
      if (roots[log] == kUnset) roots[log] = raw.pool.intern(Cyclotomic::root(exponent, log));
      value = roots[log];
    }
    raw.rows.push_back(std::move(row));
    raw.frobenius_schur.push_back(real ? 1 : 0);
  }
}

}  // namespace

std::uint32_t ValuePool::intern(Cyclotomic value) {
  const std::uint64_t key = hash(value);
  const auto [first, last] = by_hash_.equal_range(key);
  for (auto it = first; it != last; ++it) {
    if (values_[it->second] == value) return it->second;
  }
  const auto index = static_cast<std::uint32_t>(values_.size());
  by_hash_.emplace(key, index);
  values_.push_back(std::move(value));
  return index;
}

RawCharacters find_characters(const Group& group, const PowerMap& powers,
                              const ProgressSink& progress) {
  RawCharacters raw;
  const LinearCharacters linear(group, powers.exponent());
  append_linear(linear, powers, raw);
  const std::size_t k = group.classes().count();
  if (linear.count() == k) return raw;

  const ModularCharacters modular(group, powers, linear, progress);
  raw.rows.resize(k);
  for (std::size_t i = linear.count(); i < k; ++i) {
    raw.frobenius_schur.push_back(modular.frobenius_schur(i));
  }
  // Only one character of a Galois orbit is lifted: the others are the same numbers on other
  // classes.
  std::vector<std::size_t> orbit;
  for (std::size_t i = linear.count(); i < k; ++i) {
    if (!raw.rows[i].empty()) continue;
    report_progress(progress, i, k);
    raw.rows[i] = lift(modular, powers, modular.rows()[i], raw.pool);
    orbit.assign(1, i);
    for (std::size_t n = 0; n < orbit.size(); ++n) {
      for (const auto& permutation : modular.galois()) {
        const std::size_t image = modular.galois_conjugate(orbit[n], permutation);
        if (!raw.rows[image].empty()) continue;
        raw.rows[image].resize(k);
        for (std::size_t c = 0; c < k; ++c) {
          raw.rows[image][c] = raw.rows[orbit[n]][permutation[c]];
        }
        orbit.push_back(image);
      }
    }
  }
  return raw;
}

RawCharacters tensor_characters(const Group& group, const std::vector<Group>& factors,
                                const ProgressSink& progress) {
  const ConjugacyClasses& classes = group.classes();
  const std::size_t k = classes.count();
  RawCharacters raw;
  raw.rows.emplace_back(k, raw.pool.intern(1));
  raw.frobenius_schur.push_back(1);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const CharacterTable table = character_table(factors[f]);
    std::vector<std::uint32_t> class_in_factor(k);
    for (std::size_t c = 0; c < k; ++c) {
      const Element part = components(group, classes.representative(c))[f];
      class_in_factor[c] = factors[f].classes().class_of[part];
    }
    ValuePool entries;  // numbers the distinct entries of the factor's table
    std::vector<std::vector<std::uint32_t>> factor_rows(table.count());
    for (std::size_t i = 0; i < table.count(); ++i) {
      for (std::size_t c = 0; c < table.count(); ++c) {
        factor_rows[i].push_back(entries.intern(table.exact(i, c)));
      }
    }
    constexpr std::uint32_t kUnset = ~0u;
    const std::size_t width = entries.values().size();
    std::vector<std::uint32_t> products(raw.pool.values().size() * width, kUnset);
    RawCharacters next;
    for (std::size_t i = 0; i < raw.rows.size(); ++i) {
      report_progress(progress, next.rows.size(), k);
      for (std::size_t j = 0; j < table.count(); ++j) {
        std::vector<std::uint32_t> row(k);
        for (std::size_t c = 0; c < k; ++c) {
          const std::uint32_t a = raw.rows[i][c], b = factor_rows[j][class_in_factor[c]];
          std::uint32_t& product = products[a * width + b];
          if (product == kUnset) {
            product = next.pool.intern(raw.pool.values()[a] * entries.values()[b]);
          }
          row[c] = product;
        }
        next.rows.push_back(std::move(row));
        next.frobenius_schur.push_back(raw.frobenius_schur[i] * table.frobenius_schur(j));
      }
    }
    raw = std::move(next);
  }
  return raw;
}

}  // namespace algprior
