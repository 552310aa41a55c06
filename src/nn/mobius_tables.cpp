#include "mobius_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace algprior::nn {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr Complex kImaginary{0.0, 1.0};
constexpr double kNegativeSide = -0.35, kPositiveSide = 0.15;  // σ
constexpr int kLargestOrder = 2;

double alternating(int n) {
  return n % 2 == 0 ? 1.0 : -1.0;
}

// √((2j)!/((j+n)!(j−n)!)) cos^{j+n}(β/2) sin^{j−n}(β/2), |n| ≤ j: |d^j_{jn}|.
double highest(int j, int n, double beta) {
  const double binomial = std::lgamma(2 * j + 1) - std::lgamma(j + n + 1) - std::lgamma(j - n + 1);
  return std::exp(0.5 * binomial) * std::pow(std::cos(beta / 2), j + n) *
         std::pow(std::sin(beta / 2), j - n);
}

// d^{l₀}_{kn} at the least degree l₀ = max(|k|, |n|), by d_{kn} = (−1)^{k−n} d_{nk} = (−1)^{k−n}
// d_{−k,−n} from d^j_{jn} = (−1)^{j−n} |d^j_{jn}|.
double first_wigner(int k, int n, double beta) {
  if (std::abs(n) > std::abs(k)) return alternating(k - n) * first_wigner(n, k, beta);
  if (k < 0) return alternating(k - n) * first_wigner(-k, -n, beta);
  return alternating(k - n) * highest(k, n, beta);
}

}  // namespace

Complex complex_gamma(Complex z) {
  static constexpr std::array<double, 9> kLanczos = {
      0.99999999999980993,  676.5203681218851,     -1259.1392167224028,
      771.32342877765313,   -176.61502916214059,   12.507343278686905,
      -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
  if (z.real() < 0.5) return kPi / (std::sin(kPi * z) * complex_gamma(1.0 - z));
  z -= 1.0;
  Complex sum = kLanczos[0];
  for (std::size_t i = 1; i < kLanczos.size(); ++i) {
    sum += kLanczos[i] / (z + static_cast<double>(i));
  }
  const Complex t = z + 7.5;
  return std::sqrt(2.0 * kPi) * std::exp((z + 0.5) * std::log(t) - t) * sum;
}

std::vector<double> wigner_column(int bandwidth, int k, int n, double beta) {
  std::vector<double> values(static_cast<std::size_t>(bandwidth), 0.0);
  const int first = std::max(std::abs(k), std::abs(n));
  double below = 0.0, at = 0.0;
  for (int l = first; l < bandwidth; ++l) {
    if (l == first) {
      at = first_wigner(k, n, beta);
    } else if (l == 1) {  // k = n = 0
      below = at;
      at = std::cos(beta);
    } else {
      // From degrees l−1 and l−2.
      const double p = l - 1;
      const double up = p * std::sqrt((static_cast<double>(l) * l - k * k) *
                                      (static_cast<double>(l) * l - n * n));
      const double down = l * std::sqrt((p * p - k * k) * (p * p - n * n));
      const double next = ((2 * p + 1) * (p * l * std::cos(beta) - k * n) * at - down * below) / up;
      below = at;
      at = next;
    }
    values[static_cast<std::size_t>(l)] = at;
  }
  return values;
}

const std::vector<MellinSlot>& mellin_slots() {
  static const std::vector<MellinSlot> slots = [] {
    std::vector<MellinSlot> result;
    for (int m = -kLargestOrder; m <= kLargestOrder; ++m) result.push_back({m, kNegativeSide});
    result.push_back({0, kPositiveSide});
    return result;
  }();
  return slots;
}

Complex mellin_coefficient(int u, int v, const MellinSlot& slot, double s) {
  const int m = slot.m;
  if (m == 0 && v != 0 && slot.sigma < 0.0) return 0.0;
  const Complex p = slot.sigma + kImaginary * s, iu = kImaginary * static_cast<double>(u);
  const double t = kFilterDecay;
  const double order = std::abs(m), rest = std::abs(m - v), turns = std::abs(v);
  const Complex below =
      2.0 * complex_gamma((2.0 + order - p) / 2.0) * complex_gamma((2.0 + rest - iu + p + t) / 2.0);
  const Complex scale = alternating(v > 0 ? v : 0) * complex_gamma((2.0 - iu + turns + t) / 2.0) /
                        complex_gamma((iu + turns - t) / 2.0);
  if (m == 0 && v == 0) {
    // Γ(a)Γ(b) = (Γ(a+1)Γ(b) + Γ(a)Γ(b+1))/(a+b), each where its poles allow.
    const Complex a = p / 2.0, b = (iu - p - t) / 2.0;
    const Complex above = slot.sigma < 0.0 ? complex_gamma(a + 1.0) * complex_gamma(b)
                                           : complex_gamma(a) * complex_gamma(b + 1.0);
    return scale * above / (a + b) / below;
  }
  const double sign = alternating(m > 0 ? m : 0) * alternating(m < v ? m - v : 0);
  return sign * scale * complex_gamma((order + p) / 2.0) *
         complex_gamma((rest + iu - p - t) / 2.0) / below;
}

MellinNodes mellin_nodes(int m, int count) {
  constexpr std::array<double, 4> kReach = {7.0, 5.0, 8.0, 10.0};
  const auto order = static_cast<std::size_t>(std::abs(m));
  const double reach = order < kReach.size() ? kReach[order] : 15.0;
  const double step = 2.0 * reach / (count - 1);
  MellinNodes nodes;
  for (int q = 0; q < count; ++q) {
    nodes.s.push_back(-reach + step * q);
    nodes.weights.push_back(q == 0 || q == count - 1 ? step / 2 : step);
  }
  return nodes;
}

std::vector<Complex> power_coefficients(const MellinSlot& slot, double s, int bandwidth) {
  // With φ = 2 atan(e^x), sin φ dφ = sech² x dx: the trapezoid rule converges exponentially.
  constexpr double kReach = 20.0, kStep = 0.05;
  const Complex power = slot.sigma + kImaginary * s;
  std::vector<Complex> sums(static_cast<std::size_t>(bandwidth), 0.0);
  for (double x = -kReach; x <= kReach; x += kStep) {
    const double phi = 2.0 * std::atan(std::exp(x)), secant = 1.0 / std::cosh(x);
    const auto column = wigner_column(bandwidth, -slot.m, 0, phi);
    const Complex value = std::exp(power * x) * (secant * secant * kStep);
    for (std::size_t l = 0; l < sums.size(); ++l) sums[l] += value * column[l];
  }
  for (std::size_t l = 0; l < sums.size(); ++l) {
    const double norm = std::sqrt((2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi));
    sums[l] *= alternating(slot.m) * 2.0 * kPi * norm;
  }
  return sums;
}

std::vector<double> parallel_weights(int bandwidth) {
  std::vector<double> weights;
  for (int j = 0; j < 2 * bandwidth; ++j) {
    const double phi = kPi * (2 * j + 1) / (4.0 * bandwidth);
    double sum = 0.0;
    for (int p = 0; p < bandwidth; ++p) sum += std::sin((2 * p + 1) * phi) / (2 * p + 1);
    weights.push_back(2.0 / bandwidth * std::sin(phi) * sum);
  }
  return weights;
}

}  // namespace algprior::nn
