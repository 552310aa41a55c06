#pragma once

#include <cstdint>
#include <vector>

namespace algprior {

/// The field F_p for a prime p < 2^31; elements are 0 … p−1.
///
/// Products are reduced by a precomputed reciprocal (Barrett), which is why the modulus lives in a
/// value.
class PrimeField {
 public:
  /// Throws InputError when p is no prime below 2^31.
  explicit PrimeField(std::uint32_t p);

  std::uint32_t p() const noexcept { return p_; }
  /// Any 64-bit number modulo p.
  std::uint32_t reduce(std::uint64_t x) const noexcept {
    const auto quotient = static_cast<std::uint64_t>((Wide{x} * reciprocal_) >> 64);
    const std::uint64_t rest = x - quotient * p_;
    return static_cast<std::uint32_t>(rest >= p_ ? rest - p_ : rest);
  }
  std::uint32_t from_integer(std::int64_t x) const noexcept {
    const std::int64_t rest = x % p_;
    return static_cast<std::uint32_t>(rest < 0 ? rest + p_ : rest);
  }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const noexcept {
    const std::uint32_t sum = a + b;
    return sum >= p_ ? sum - p_ : sum;
  }
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const noexcept {
    return a >= b ? a - b : a + p_ - b;
  }
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const noexcept {
    return reduce(std::uint64_t{a} * b);
  }
  std::uint32_t power(std::uint32_t a, std::uint64_t n) const noexcept;
  /// a⁻¹ for a ≠ 0.
  std::uint32_t inverse(std::uint32_t a) const noexcept { return power(a, p_ - 2); }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint32_t p_;
  std::uint64_t reciprocal_;
};

/// The largest prime p ≡ 1 modulo n below 2^31: F_p holds the n-th roots of unity. Throws
/// LimitError when there is none.
std::uint32_t splitting_prime(std::uint32_t n);

/// An element of multiplicative order exactly n; n divides p − 1.
std::uint32_t primitive_root_of_unity(const PrimeField& field, std::uint32_t n);

/// A polynomial over F_p: coefficients from the constant term up, the last one non-zero.
using Polynomial = std::vector<std::uint32_t>;

/// The monic polynomial of least degree that annihilates a linear recurrent sequence
/// (Berlekamp–Massey, O(length²)); right when the length is at least twice its degree.
Polynomial minimal_polynomial(const PrimeField& field, const std::vector<std::uint32_t>& sequence);

/// f / (x − root) for a root of f.
Polynomial divide_root(const PrimeField& field, const Polynomial& f, std::uint32_t root);

std::uint32_t evaluate(const PrimeField& field, const Polynomial& f, std::uint32_t x);

/// A root of a monic polynomial that is a product of distinct linear factors over F_p, by Cantor
/// and Zassenhaus' random splitting; `seed` makes it repeatable. O(degree² log p).
std::uint32_t find_root(const PrimeField& field, const Polynomial& f, std::uint64_t seed);

/// The transform X_k = Σ_j x_j w^(−jk) of length m for w of order m, by the prime factors of m.
std::vector<std::uint32_t> fourier_transform(const PrimeField& field,
                                             const std::vector<std::uint32_t>& x, std::uint32_t w);

}  // namespace algprior
