#include "linear_groups.hpp"

#include "algprior/base/interrupt.hpp"
#include "state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

namespace algprior {
namespace {

unsigned smallest_prime_of(unsigned q) {
  unsigned p = 2;
  while (q % p != 0) ++p;
  return p;
}

// F_q, q = p^k: an element is the number whose digits to the base p are the coefficients of a
// polynomial of degree below k, modulo one whose root x is primitive.
class Field {
 public:
  explicit Field(unsigned q) : p_(smallest_prime_of(q)), q_(q), log_(q, 0), sum_(q * q) {
    for (unsigned rest = q; rest > 1; rest /= p_) ++degree_;
    for (unsigned reduction = 1; exp_.size() + 1 != q; ++reduction) {
      if (reduction == q) throw std::logic_error("no primitive polynomial found");
      exp_.assign(1, 1);
      for (unsigned power = times_x(1, reduction); power > 1 && exp_.size() < q;
           power = times_x(power, reduction)) {
        exp_.push_back(power);
      }
    }
    for (unsigned i = 0; i < exp_.size(); ++i) log_[exp_[i]] = i;
    for (unsigned a = 0; a < q; ++a) {
      for (unsigned b = 0; b < q; ++b) sum_[a * q + b] = digitwise(a, b, 1);
    }
  }

  unsigned size() const { return q_; }
  unsigned degree() const { return degree_; }
  unsigned power_of_primitive(unsigned i) const { return exp_[i % exp_.size()]; }
  unsigned add(unsigned a, unsigned b) const { return sum_[a * q_ + b]; }
  unsigned negative(unsigned a) const { return digitwise(0, a, p_ - 1); }
  unsigned multiply(unsigned a, unsigned b) const {
    return a == 0 || b == 0 ? 0 : exp_[(log_[a] + log_[b]) % exp_.size()];
  }
  unsigned inverse(unsigned a) const { return exp_[(exp_.size() - log_[a]) % exp_.size()]; }

 private:
  // a + factor·b, digit by digit.
  unsigned digitwise(unsigned a, unsigned b, unsigned factor) const {
    unsigned result = 0;
    for (unsigned place = 1; place < q_; place *= p_) {
      result += (a / place % p_ + factor * (b / place % p_)) % p_ * place;
    }
    return result;
  }
  unsigned times_x(unsigned a, unsigned reduction) const {
    const unsigned top = q_ / p_;
    return digitwise(a % top * p_, reduction, a / top);
  }

  unsigned p_, q_, degree_ = 0;
  std::vector<unsigned> exp_, log_, sum_;
};

using Entries = std::vector<unsigned>;  // row-major, or a vector

class MatrixAlgebra {
 public:
  MatrixAlgebra(unsigned n, unsigned q, bool projective)
      : field(q), n_(n), projective_(projective) {}

  // A matrix times another, or times a column vector (`columns` = 1).
  Entries multiply(const Entries& a, const Entries& b, unsigned columns) const {
    Entries product(n_ * columns, 0);
    for (unsigned i = 0; i < n_; ++i) {
      for (unsigned k = 0; k < n_; ++k) {
        const unsigned factor = a[i * n_ + k];
        if (factor == 0) continue;
        for (unsigned j = 0; j < columns; ++j) {
          unsigned& sum = product[i * columns + j];
          sum = field.add(sum, field.multiply(factor, b[k * columns + j]));
        }
      }
    }
    if (projective_) scale_first_to_one(product);
    return product;
  }

  std::uint64_t code(const Entries& entries) const {
    std::uint64_t value = 0;
    for (const unsigned entry : entries) value = value * field.size() + entry;
    return value;
  }
  Entries decode(std::uint64_t value, unsigned count) const {
    Entries entries(count);
    for (unsigned i = count; i-- > 0; value /= field.size()) {
      entries[i] = static_cast<unsigned>(value % field.size());
    }
    return entries;
  }
  bool is_scaled(const Entries& entries) const {
    const auto first = std::find_if(entries.begin(), entries.end(), [](unsigned x) { return x; });
    return first != entries.end() && (!projective_ || *first == 1);
  }

  const Field field;

 private:
  void scale_first_to_one(Entries& entries) const {
    const auto first = std::find_if(entries.begin(), entries.end(), [](unsigned x) { return x; });
    if (first == entries.end()) return;
    const unsigned factor = field.inverse(*first);
    for (unsigned& entry : entries) entry = field.multiply(entry, factor);
  }

  unsigned n_;
  bool projective_;
};

bool is_projective(LinearKind kind) {
  return kind == LinearKind::kProjectiveGeneral || kind == LinearKind::kProjectiveSpecial;
}
bool is_special(LinearKind kind) {
  return kind == LinearKind::kSpecial || kind == LinearKind::kProjectiveSpecial;
}

Entries identity_matrix(unsigned n) {
  Entries matrix(n * n, 0);
  for (unsigned i = 0; i < n; ++i) matrix[i * n + i] = 1;
  return matrix;
}

void add_generators(const MatrixAlgebra& algebra, LinearKind kind, unsigned n, Blueprint& data,
                    std::vector<Entries>& generators) {
  const Field& field = algebra.field;
  for (unsigned i = 0; i < field.degree(); ++i) {
    generators.push_back(identity_matrix(n));
    generators.back()[1] = field.power_of_primitive(i);
    data.generator_names.push_back(field.degree() == 1 ? "t" : fmt::format("t{}", i + 1));
  }
  Entries turn(n * n, 0);
  for (unsigned i = 0; i + 1 < n; ++i) turn[(i + 1) * n + i] = 1;
  turn[n - 1] = n % 2 == 1 ? 1 : field.negative(1);
  generators.push_back(std::move(turn));
  data.generator_names.emplace_back("w");
  if (is_special(kind) || field.size() == 2) return;
  generators.push_back(identity_matrix(n));
  generators.back()[0] = field.power_of_primitive(1);
  data.generator_names.emplace_back("d");
}

std::vector<Permutation> permutations_of_points(const MatrixAlgebra& algebra, unsigned n,
                                                const std::vector<Entries>& generators) {
  const auto vectors = static_cast<std::uint64_t>(std::pow(algebra.field.size(), n));
  std::vector<std::uint32_t> number(vectors, 0);
  std::vector<std::uint64_t> points;
  for (std::uint64_t code = 1; code < vectors; ++code) {
    if (!algebra.is_scaled(algebra.decode(code, n))) continue;
    number[code] = static_cast<std::uint32_t>(points.size());
    points.push_back(code);
  }
  std::vector<Permutation> permutations;
  for (const Entries& matrix : generators) {
    permutations.emplace_back();
    for (const std::uint64_t point : points) {
      const Entries image = algebra.multiply(matrix, algebra.decode(point, n), 1);
      permutations.back().push_back(number[algebra.code(image)]);
    }
  }
  return permutations;
}

std::string symbol_of(LinearKind kind) {
  return std::string(is_projective(kind) ? "P" : "") + (is_special(kind) ? "SL" : "GL");
}

}  // namespace

bool is_prime_power(unsigned q) {
  if (q < 2) return false;
  const unsigned p = smallest_prime_of(q);
  while (q % p == 0) q /= p;
  return q == 1;
}

double linear_group_order(LinearKind kind, unsigned n, unsigned q) {
  double order = 1;
  for (unsigned i = 0; i < n; ++i) order *= std::pow(q, n) - std::pow(q, i);
  if (is_special(kind)) order /= q - 1;
  if (kind == LinearKind::kProjectiveGeneral) order /= q - 1;
  if (kind == LinearKind::kProjectiveSpecial) order /= std::gcd(n, q - 1);
  return order;
}

Group linear_group(LinearKind kind, unsigned n, unsigned q, const GroupLimits& limits) {
  Blueprint data;
  data.name = fmt::format("{}({},{})", symbol_of(kind), n, q);
  check_order(data.name, linear_group_order(kind, n, q), limits.max_order);
  const MatrixAlgebra algebra(n, q, is_projective(kind));
  std::vector<Entries> generators;
  add_generators(algebra, kind, n, data, generators);

  // Entries to the base q are a key of 64 bits: |G| ≥ q^(n²−2) or so fits 32.
  std::vector<std::uint64_t> elements{algebra.code(identity_matrix(n))};
  std::unordered_map<std::uint64_t, Element> index{{elements.front(), 0}};
  data.right.resize(generators.size());
  for (std::size_t g = 0; g < elements.size(); ++g) {
    if (g % 4096 == 0) throw_if_stopped();
    const Entries matrix = algebra.decode(elements[g], n * n);
    for (std::size_t s = 0; s < generators.size(); ++s) {
      const std::uint64_t code = algebra.code(algebra.multiply(matrix, generators[s], n));
      const auto [place, fresh] = index.emplace(code, static_cast<Element>(elements.size()));
      if (fresh) elements.push_back(code);
      data.right[s].push_back(place->second);
    }
  }
  data.order = elements.size();
  data.defining = permutations_of_points(algebra, n, generators);
  return assemble(std::move(data));
}

}  // namespace algprior
