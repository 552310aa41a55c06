#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace algprior {

/// An exact cyclotomic integer: an element of Z[ζ_n], ζ_n = exp(2πi/n).
///
/// Kept in the smallest n (the conductor) as integer coefficients over Zumbroich's basis of Z[ζ_n],
/// so that equal numbers have equal fields. Only non-zero terms are stored: character values are
/// sums of few roots of unity. Operations cost O(n) plus the product of the numbers of terms. They
/// throw LimitError when a coefficient leaves 64 bits or n exceeds kMaxConductor.
class Cyclotomic {
 public:
  static constexpr std::uint32_t kMaxConductor = 1u << 20;

  struct Term {
    std::uint32_t exponent;  ///< k of ζ_n^k
    std::int64_t coefficient;
    friend bool operator==(const Term&, const Term&) = default;
  };

  Cyclotomic(std::int64_t integer = 0);
  /// ζ_n^k for any integer k. Throws InputError for n = 0.
  static Cyclotomic root(std::uint32_t n, std::int64_t k = 1);
  /// Σ coefficient · ζ_n^exponent over any terms, in any order.
  static Cyclotomic sum(std::uint32_t n, const std::vector<Term>& terms);

  /// The smallest n with this number in Q(ζ_n); never 2 modulo 4.
  std::uint32_t conductor() const noexcept { return conductor_; }
  const std::vector<Term>& terms() const noexcept { return terms_; }

  bool is_zero() const noexcept { return terms_.empty(); }
  bool is_integer() const noexcept { return conductor_ == 1; }
  bool is_real() const { return *this == conjugate(); }
  /// The integer that this number is. Throws InputError when it is none.
  std::int64_t to_integer() const;
  std::complex<double> to_complex() const;

  Cyclotomic conjugate() const { return galois(-1); }
  /// The image under ζ_n ↦ ζ_n^t. Throws InputError when t shares a factor with the conductor n.
  Cyclotomic galois(std::int64_t t) const;

  Cyclotomic operator-() const;
  friend Cyclotomic operator+(const Cyclotomic& a, const Cyclotomic& b);
  friend Cyclotomic operator-(const Cyclotomic& a, const Cyclotomic& b);
  friend Cyclotomic operator*(const Cyclotomic& a, const Cyclotomic& b);
  Cyclotomic& operator+=(const Cyclotomic& b) { return *this = *this + b; }
  Cyclotomic& operator-=(const Cyclotomic& b) { return *this = *this - b; }
  Cyclotomic& operator*=(const Cyclotomic& b) { return *this = *this * b; }
  friend bool operator==(const Cyclotomic&, const Cyclotomic&) = default;

 private:
  std::uint32_t conductor_ = 1;
  std::vector<Term> terms_;  // by exponent, no zero coefficient
};

/// The number for readers, in the shortest of these forms: "-3", "2i", "ζ3^2" (ζ_m^k has order
/// exactly m), "√2", "(-1+i√11)/2", "ζ7+ζ7^6", else the sum over the basis.
std::string to_string(const Cyclotomic& number);

}  // namespace algprior
