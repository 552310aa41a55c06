#include "algprior/rep/detail/prime_field.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <random>
#include <string>

namespace algprior {
namespace {

constexpr std::uint32_t kBound = 1u << 31;

/// Miller–Rabin; the bases 2, 3, 5, 7 decide every n below 3.2·10⁹.
bool is_prime(std::uint32_t n) {
  for (const std::uint32_t q : {2u, 3u, 5u, 7u}) {
    if (n % q == 0) return n == q;
  }
  if (n < 2) return false;
  std::uint32_t odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  for (const std::uint64_t base : {2u, 3u, 5u, 7u}) {
    std::uint64_t x = 1, square = base;
    for (std::uint32_t e = odd; e != 0; e /= 2, square = square * square % n) {
      if (e % 2 == 1) x = x * square % n;
    }
    bool composite = x != 1 && x != n - 1;
    for (int r = 1; r < twos && composite; ++r) {
      x = x * x % n;
      composite = x != n - 1;
    }
    if (composite) return false;
  }
  return true;
}

void trim(Polynomial& f) {
  while (!f.empty() && f.back() == 0) f.pop_back();
}

/// Reduces a modulo the monic polynomial f in place.
void remainder(const PrimeField& field, Polynomial& a, const Polynomial& f) {
  const std::size_t degree = f.size() - 1;
  for (std::size_t i = a.size(); i-- > degree;) {
    const std::uint64_t negated = field.subtract(0, a[i]);
    if (negated == 0) continue;
    std::uint32_t* base = a.data() + (i - degree);
    for (std::size_t j = 0; j < degree; ++j) base[j] = field.reduce(base[j] + negated * f[j]);
  }
  if (a.size() > degree) a.resize(degree);
  trim(a);
}

Polynomial multiply(const PrimeField& field, const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return {};
  Polynomial product(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t scale = a[i];
    for (std::size_t j = 0; j < b.size(); ++j) {
      product[i + j] = field.reduce(product[i + j] + scale * b[j]);
    }
  }
  return product;
}

void make_monic(const PrimeField& field, Polynomial& f) {
  const std::uint32_t scale = field.inverse(f.back());
  for (std::uint32_t& c : f) c = field.multiply(c, scale);
}

Polynomial greatest_common_divisor(const PrimeField& field, Polynomial a, Polynomial b) {
  while (!b.empty()) {
    make_monic(field, b);
    remainder(field, a, b);
    std::swap(a, b);
  }
  return a;
}

/// The exact quotient a / b for monic b.
Polynomial quotient(const PrimeField& field, Polynomial a, const Polynomial& b) {
  Polynomial result(a.size() - b.size() + 1, 0);
  for (std::size_t i = result.size(); i-- > 0;) {
    result[i] = a[i + b.size() - 1];
    const std::uint64_t negated = field.subtract(0, result[i]);
    for (std::size_t j = 0; j < b.size(); ++j) a[i + j] = field.reduce(a[i + j] + negated * b[j]);
  }
  return result;
}

void transform(const PrimeField& field, const std::uint32_t* x, std::size_t stride, std::size_t m,
               const std::vector<std::uint32_t>& powers, std::uint32_t* out) {
  if (m == 1) {
    out[0] = x[0];
    return;
  }
  std::size_t p = 2;
  while (m % p != 0) ++p;
  const std::size_t part = m / p;
  std::vector<std::uint32_t> parts(m);
  for (std::size_t r = 0; r < p; ++r) {
    transform(field, x + r * stride, stride * p, part, powers, parts.data() + r * part);
  }
  for (std::size_t k = 0; k < m; ++k) {
    std::uint32_t sum = 0;
    for (std::size_t r = 0; r < p; ++r) {
      const std::uint32_t twiddle = powers[r * k % m * stride];
      sum = field.reduce(sum + std::uint64_t{twiddle} * parts[r * part + k % part]);
    }
    out[k] = sum;
  }
}

}  // namespace

PrimeField::PrimeField(std::uint32_t p) : p_(p), reciprocal_(p == 0 ? 0 : ~std::uint64_t{0} / p) {
  if (p >= kBound || !is_prime(p)) {
    throw InputError({"no prime field", std::to_string(p), "a prime below 2^31", ""});
  }
}

std::uint32_t PrimeField::power(std::uint32_t a, std::uint64_t n) const noexcept {
  std::uint32_t result = 1;
  for (; n != 0; n >>= 1) {
    if (n & 1) result = multiply(result, a);
    a = multiply(a, a);
  }
  return result;
}

std::uint32_t splitting_prime(std::uint32_t n) {
  for (std::uint32_t q = (kBound - 2) / n; q > 0; --q) {
    const std::uint32_t candidate = q * n + 1;
    if (is_prime(candidate)) return candidate;
  }
  throw LimitError({"no prime for the characters", "exponent " + std::to_string(n),
                    "a prime below 2^31 that is 1 modulo the exponent", ""});
}

std::uint32_t primitive_root_of_unity(const PrimeField& field, std::uint32_t n) {
  std::vector<std::uint32_t> primes;
  for (std::uint32_t rest = n, d = 2; rest > 1; ++d) {
    if (std::uint64_t{d} * d > rest) d = rest;
    if (rest % d != 0) continue;
    primes.push_back(d);
    while (rest % d == 0) rest /= d;
  }
  for (std::uint32_t base = 2;; ++base) {
    const std::uint32_t w = field.power(base, (field.p() - 1) / n);
    if (std::all_of(primes.begin(), primes.end(),
                    [&](std::uint32_t q) { return field.power(w, n / q) != 1; })) {
      return w;
    }
  }
}

Polynomial minimal_polynomial(const PrimeField& field, const std::vector<std::uint32_t>& sequence) {
  // Connection polynomial C with s_n = −Σ C_i s_(n−i); its reversal is the minimal polynomial.
  Polynomial c{1}, previous{1};
  std::size_t length = 0, gap = 1;
  std::uint32_t previous_discrepancy = 1;
  for (std::size_t n = 0; n < sequence.size(); ++n) {
    std::uint32_t discrepancy = sequence[n];
    for (std::size_t i = 1; i < c.size() && i <= length; ++i) {
      discrepancy = field.reduce(discrepancy + std::uint64_t{c[i]} * sequence[n - i]);
    }
    if (discrepancy == 0) {
      ++gap;
      continue;
    }
    const Polynomial before = c;
    const std::uint64_t scale =
        field.subtract(0, field.multiply(discrepancy, field.inverse(previous_discrepancy)));
    c.resize(std::max(c.size(), previous.size() + gap), 0);
    for (std::size_t i = 0; i < previous.size(); ++i) {
      c[i + gap] = field.reduce(c[i + gap] + scale * previous[i]);
    }
    if (2 * length <= n) {
      length = n + 1 - length;
      previous = before;
      previous_discrepancy = discrepancy;
      gap = 1;
    } else {
      ++gap;
    }
  }
  c.resize(length + 1, 0);
  std::reverse(c.begin(), c.end());
  return c;
}

Polynomial divide_root(const PrimeField& field, const Polynomial& f, std::uint32_t root) {
  Polynomial result(f.size() - 1);
  std::uint32_t carry = 0;
  for (std::size_t i = f.size() - 1; i > 0; --i) {
    carry = field.reduce(f[i] + std::uint64_t{carry} * root);
    result[i - 1] = carry;
  }
  return result;
}

std::uint32_t evaluate(const PrimeField& field, const Polynomial& f, std::uint32_t x) {
  std::uint32_t value = 0;
  for (std::size_t i = f.size(); i-- > 0;) value = field.reduce(f[i] + std::uint64_t{value} * x);
  return value;
}

std::uint32_t find_root(const PrimeField& field, const Polynomial& f, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Polynomial current = f;
  while (current.size() > 2) {
    // (x + a)^((p−1)/2) is 1 at about half of the roots.
    const Polynomial linear{field.reduce(random()), 1};
    Polynomial h{1};
    const std::uint32_t exponent = (field.p() - 1) / 2;
    for (int bit = 30; bit >= 0; --bit) {
      h = multiply(field, h, h);
      remainder(field, h, current);
      if ((exponent >> bit) & 1) {
        h = multiply(field, h, linear);
        remainder(field, h, current);
      }
    }
    if (h.empty()) h.push_back(0);
    h[0] = field.subtract(h[0], 1);
    trim(h);
    if (h.empty()) continue;
    Polynomial factor = greatest_common_divisor(field, current, h);
    if (factor.size() < 2 || factor.size() == current.size()) continue;
    make_monic(field, factor);
    Polynomial rest = quotient(field, current, factor);
    current = factor.size() <= rest.size() ? std::move(factor) : std::move(rest);
  }
  return field.subtract(0, current[0]);
}

std::vector<std::uint32_t> fourier_transform(const PrimeField& field,
                                             const std::vector<std::uint32_t>& x, std::uint32_t w) {
  const std::size_t m = x.size();
  std::vector<std::uint32_t> powers(m, 1), out(m);
  const std::uint32_t inverse = field.inverse(w);
  for (std::size_t i = 1; i < m; ++i) powers[i] = field.multiply(powers[i - 1], inverse);
  transform(field, x.data(), 1, m, powers, out.data());
  return out;
}

}  // namespace algprior
