#include "algprior/rep/cyclotomic.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <optional>

namespace algprior {
namespace {

/// ζ_n^k with its exact order: "1", "-1", "i", "-i", "ζ3^2".
std::string root_text(std::uint32_t n, std::uint32_t k) {
  const std::uint32_t common = std::gcd(n, k);
  const std::uint32_t order = n / common, power = k / common;
  if (order == 1) return "1";
  if (order == 2) return "-1";
  if (order == 4) return power == 1 ? "i" : "-i";
  const std::string base = "ζ" + std::to_string(order);
  return power == 1 ? base : base + "^" + std::to_string(power);
}

/// Appends "+3ζ5", "-i", …: coefficient times a unit's text that may carry its own sign.
void append_term(std::string& text, std::int64_t coefficient, std::string unit) {
  if (unit.front() == '-') {
    unit.erase(0, 1);
    coefficient = -coefficient;
  }
  if (coefficient < 0) {
    text += "-";
  } else if (!text.empty()) {
    text += "+";
  }
  const std::string magnitude = std::to_string(std::llabs(coefficient));
  if (unit == "1") {
    text += magnitude;
  } else {
    text += (magnitude == "1" ? "" : magnitude) + unit;
  }
}

std::int64_t content(const Cyclotomic& x) {
  std::int64_t common = 0;
  for (const auto& t : x.terms()) common = std::gcd(common, t.coefficient);
  return common;
}

Cyclotomic divide(const Cyclotomic& x, std::int64_t divisor) {
  std::vector<Cyclotomic::Term> terms = x.terms();
  for (auto& t : terms) t.coefficient /= divisor;
  return Cyclotomic::sum(x.conductor(), terms);
}

std::uint32_t nearest_exponent(double angle, std::uint32_t n) {
  const auto k = std::llround(angle * n / (2 * std::numbers::pi));
  return static_cast<std::uint32_t>((k % n + n) % n);
}

std::optional<std::string> as_root(const Cyclotomic& x, std::int64_t factor) {
  const std::uint32_t n = x.conductor() % 2 == 1 ? 2 * x.conductor() : x.conductor();
  const std::uint32_t k = nearest_exponent(std::arg(x.to_complex()), n);
  if (!(Cyclotomic::root(n, k) == x)) return std::nullopt;
  std::string text;
  append_term(text, factor, root_text(n, k));
  return text;
}

/// x is a root of t² − st + m with integers s, m: (s ± √(s² − 4m)) / 2.
std::optional<std::string> as_quadratic(const Cyclotomic& x) {
  const std::uint32_t n = x.conductor();
  std::optional<Cyclotomic> other;
  for (std::uint32_t t = 2; t < n; ++t) {
    if (std::gcd(t, n) != 1) continue;
    Cyclotomic image = x.galois(t);
    if (image == x || image == other) continue;
    if (other) return std::nullopt;
    other = std::move(image);
  }
  if (!other) return std::nullopt;
  const std::int64_t s = (x + *other).to_integer();
  std::int64_t radicand = s * s - 4 * (x * *other).to_integer();
  const std::complex<double> difference = x.to_complex() - other->to_complex();
  const bool imaginary = radicand < 0;
  radicand = std::llabs(radicand);
  std::int64_t factor = 1;
  for (std::int64_t f = 2; f * f <= radicand; ++f) {
    while (radicand % (f * f) == 0) {
      radicand /= f * f;
      factor *= f;
    }
  }
  if ((imaginary ? difference.imag() : difference.real()) < 0) factor = -factor;
  const std::string surd =
      (imaginary ? "i" : "") + (radicand == 1 ? "" : "√" + std::to_string(radicand));
  const bool half = s % 2 != 0 || factor % 2 != 0;
  std::string text;
  if (s != 0) append_term(text, half ? s : s / 2, "1");
  append_term(text, half ? factor : factor / 2, surd);
  return half ? "(" + text + ")/2" : text;
}

/// A sum of two roots of unity of order n: their arguments follow from modulus and argument of the
/// sum.
std::optional<std::string> as_two_roots(const Cyclotomic& x, std::int64_t factor) {
  const std::uint32_t n = x.conductor();
  for (const int sign : {1, -1}) {
    const std::complex<double> value = x.to_complex() * static_cast<double>(sign);
    const double half_modulus = std::abs(value) / 2;
    if (half_modulus > 1) return std::nullopt;
    const double middle = std::arg(value), spread = std::acos(half_modulus);
    std::uint32_t a = nearest_exponent(middle + spread, n);
    std::uint32_t b = nearest_exponent(middle - spread, n);
    const Cyclotomic sum = Cyclotomic::root(n, a) + Cyclotomic::root(n, b);
    if (!(sum == x * sign)) continue;
    if (a > b) std::swap(a, b);
    std::string text;
    append_term(text, sign * factor, root_text(n, a));
    append_term(text, sign * factor, root_text(n, b));
    return text;
  }
  return std::nullopt;
}

}  // namespace

std::string to_string(const Cyclotomic& number) {
  if (number.is_integer()) return std::to_string(number.to_integer());
  const std::int64_t factor = content(number);
  const Cyclotomic primitive = divide(number, factor);
  if (auto text = as_root(primitive, factor)) return *text;
  if (auto text = as_quadratic(number)) return *text;
  if (auto text = as_two_roots(primitive, factor)) return *text;
  std::string text;
  for (const auto& t : number.terms()) {
    append_term(text, t.coefficient, root_text(number.conductor(), t.exponent));
  }
  return text;
}

}  // namespace algprior
