#include "algprior/rep/cyclotomic.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace algprior {
namespace {

using Term = Cyclotomic::Term;

[[noreturn]] void throw_overflow() {
  throw LimitError({"a coefficient of a cyclotomic integer leaves 64 bits", "",
                    "coefficients below 2^63",
                    "use floating-point values for numbers of this size"});
}

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw_overflow();
  return sum;
}

std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw_overflow();
  return product;
}

void require_order(std::uint64_t n) {
  if (n == 0) throw InputError({"no root of unity of order 0", "", "an order of at least 1", ""});
  if (n > Cyclotomic::kMaxConductor) {
    throw LimitError({"the cyclotomic field is too large", "conductor " + std::to_string(n),
                      "at most " + std::to_string(Cyclotomic::kMaxConductor), ""});
  }
}

struct PrimePower {
  std::uint32_t p;
  std::uint32_t q;  // the largest power of p dividing n
};

std::vector<PrimePower> factor(std::uint32_t n) {
  std::vector<PrimePower> factors;
  for (std::uint32_t p = 2; p * p <= n; ++p) {
    if (n % p != 0) continue;
    std::uint32_t q = 1;
    for (; n % p == 0; n /= p) q *= p;
    factors.push_back({p, q});
  }
  if (n > 1) factors.push_back({n, n});
  return factors;
}

/// (n/q)⁻¹ modulo q: turns an exponent of ζ_n into the exponent of its ζ_q part.
std::uint32_t cofactor_inverse(std::uint32_t n, std::uint32_t q) {
  const std::uint64_t cofactor = n / q % q;
  std::uint64_t inverse = 1;
  while (cofactor * inverse % q != 1 % q) ++inverse;
  return static_cast<std::uint32_t>(inverse);
}

/// Rewrites coefficients of 1, ζ_n, …, ζ_n^(n−1) over Zumbroich's basis (n is not 2 modulo 4). Of
/// the exponents a of ζ_q the basis leaves out, for odd p, those with |a| < q/2p, which equal minus
/// the sum of their translates by multiples of q/p; for p = 2 the upper half, since ζ^(q/2) = −1.
void to_basis(std::vector<std::int64_t>& c, std::uint32_t n,
              const std::vector<PrimePower>& factors) {
  for (const auto [p, q] : factors) {
    const std::uint64_t inverse = cofactor_inverse(n, q);
    const std::uint32_t half_width = (q / p - 1) / 2;
    const std::uint32_t step = n / p;
    for (std::uint32_t k = 0; k < n; ++k) {
      if (c[k] == 0) continue;
      const auto a = static_cast<std::uint32_t>(k % q * inverse % q);
      const bool outside = p == 2 ? a >= q / 2 : a <= half_width || a >= q - half_width;
      if (!outside) continue;
      std::uint32_t other = k;
      for (std::uint32_t j = 1; j < p; ++j) {
        other = other + step >= n ? other + step - n : other + step;
        c[other] = checked_add(c[other], -c[k]);
      }
      c[k] = 0;
    }
  }
}

/// Tries to write the number with n/p in place of n (n/4 when 4 divides n exactly and p = 2).
bool shrink(std::vector<Term>& terms, std::uint32_t& n, PrimePower factor) {
  const auto [p, q] = factor;
  if (q > p) {
    const std::uint32_t divisor = q == 4 ? 4 : p;
    if (!std::all_of(terms.begin(), terms.end(),
                     [&](const Term& t) { return t.exponent % divisor == 0; })) {
      return false;
    }
    for (Term& t : terms) t.exponent /= divisor;
    n /= divisor;
    return true;
  }
  // 1 = −(ζ_p + … + ζ_p^(p−1)): the number lies in the smaller field when coefficients agree along
  // each translate by n/p.
  if (terms.size() % (p - 1) != 0) return false;
  const std::uint32_t step = n / p;
  std::vector<Term> cosets;  // first by the translate's smallest exponent, then rewritten
  for (const Term& t : terms) cosets.push_back({t.exponent % step, t.coefficient});
  std::sort(cosets.begin(), cosets.end(), [](const Term& a, const Term& b) {
    return std::pair(a.exponent, a.coefficient) < std::pair(b.exponent, b.coefficient);
  });
  std::vector<Term> smaller;
  for (std::size_t i = 0; i < cosets.size(); i += p - 1) {
    if (!(cosets[i] == cosets[i + p - 2])) return false;
    std::uint32_t exponent = cosets[i].exponent;
    while (exponent % p != 0) exponent += step;
    smaller.push_back({exponent / p, -cosets[i].coefficient});
  }
  std::sort(smaller.begin(), smaller.end(),
            [](const Term& a, const Term& b) { return a.exponent < b.exponent; });
  terms = std::move(smaller);
  n = step;
  return true;
}

}  // namespace

Cyclotomic::Cyclotomic(std::int64_t integer) {
  if (integer != 0) terms_.push_back({0, integer});
}

Cyclotomic Cyclotomic::root(std::uint32_t n, std::int64_t k) {
  require_order(n);
  const std::int64_t m = n;
  return sum(n, {{static_cast<std::uint32_t>((k % m + m) % m), 1}});
}

Cyclotomic Cyclotomic::sum(std::uint32_t n, const std::vector<Term>& terms) {
  require_order(n);
  std::uint32_t common = n;
  for (const Term& t : terms) {
    if (t.coefficient != 0) common = std::gcd(common, t.exponent);
  }
  n /= common;
  const bool odd_half = n % 4 == 2;  // −ζ_n is a root of unity of order n/2
  if (odd_half) n /= 2;
  std::vector<std::int64_t> dense(n, 0);
  for (const Term& t : terms) {
    std::uint64_t exponent = t.exponent / common;
    std::int64_t coefficient = t.coefficient;
    if (odd_half) {
      if (exponent % 2 == 1) {
        exponent += n;
        coefficient = checked_multiply(coefficient, -1);
      }
      exponent /= 2;
    }
    std::int64_t& slot = dense[exponent % n];
    slot = checked_add(slot, coefficient);
  }
  const std::vector<PrimePower> factors = factor(n);
  to_basis(dense, n, factors);
  Cyclotomic result;
  for (std::uint32_t k = 0; k < n; ++k) {
    if (dense[k] != 0) result.terms_.push_back({k, dense[k]});
  }
  for (PrimePower f : factors) {
    while (f.q > 1 && shrink(result.terms_, n, f)) f.q = f.q == 4 ? 1 : f.q / f.p;
  }
  result.conductor_ = n;
  return result;
}

std::int64_t Cyclotomic::to_integer() const {
  if (!is_integer()) {
    throw InputError({"this cyclotomic number is no integer", to_string(*this), "an integer", ""});
  }
  return terms_.empty() ? 0 : terms_.front().coefficient;
}

std::complex<double> Cyclotomic::to_complex() const {
  std::complex<double> value = 0;
  for (const Term& t : terms_) {
    const double angle = 2 * std::numbers::pi * t.exponent / conductor_;
    value += static_cast<double>(t.coefficient) * std::polar(1.0, angle);
  }
  // What is exactly zero stays so: a real character has no imaginary part of 1e-17.
  const Cyclotomic mirrored = conjugate();
  if (mirrored == *this) return value.real();
  if (mirrored == -*this) return {0, value.imag()};
  return value;
}

Cyclotomic Cyclotomic::galois(std::int64_t t) const {
  const std::int64_t n = conductor_;
  t = (t % n + n) % n;
  if (std::gcd(t, n) != 1) {
    throw InputError({"no Galois automorphism", std::to_string(t) + " modulo " + std::to_string(n),
                      "a number without a common factor with the conductor", ""});
  }
  std::vector<Term> image = terms_;
  for (Term& term : image) term.exponent = static_cast<std::uint32_t>(term.exponent * t % n);
  return sum(conductor_, image);
}

Cyclotomic Cyclotomic::operator-() const {
  Cyclotomic result = *this;
  for (Term& t : result.terms_) t.coefficient = checked_multiply(t.coefficient, -1);
  return result;
}

Cyclotomic operator+(const Cyclotomic& a, const Cyclotomic& b) {
  const std::uint64_t n = std::lcm<std::uint64_t>(a.conductor_, b.conductor_);
  require_order(n);
  const auto order = static_cast<std::uint32_t>(n);
  std::vector<Term> terms;
  terms.reserve(a.terms_.size() + b.terms_.size());
  for (const Cyclotomic* x : {&a, &b}) {
    for (const Term& t : x->terms_) {
      terms.push_back({t.exponent * (order / x->conductor_), t.coefficient});
    }
  }
  return Cyclotomic::sum(order, terms);
}

Cyclotomic operator-(const Cyclotomic& a, const Cyclotomic& b) {
  return a + -b;
}

Cyclotomic operator*(const Cyclotomic& a, const Cyclotomic& b) {
  const std::uint64_t n = std::lcm<std::uint64_t>(a.conductor_, b.conductor_);
  require_order(n);
  const auto order = static_cast<std::uint32_t>(n);
  std::vector<Term> terms;
  terms.reserve(a.terms_.size() * b.terms_.size());
  for (const Term& s : a.terms_) {
    for (const Term& t : b.terms_) {
      const std::uint32_t exponent =
          s.exponent * (order / a.conductor_) + t.exponent * (order / b.conductor_);
      terms.push_back({exponent % order, checked_multiply(s.coefficient, t.coefficient)});
    }
  }
  return Cyclotomic::sum(order, terms);
}

}  // namespace algprior
