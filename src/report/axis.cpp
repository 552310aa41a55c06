#include "algprior/report/axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior::report {
namespace {

// "20k" and "3M" are shorter than the zeros.
std::string large_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e9) return fmt::format("{:g}G", value / 1e9);
  if (size >= 1e6) return fmt::format("{:g}M", value / 1e6);
  return fmt::format("{:g}k", value / 1e3);
}

std::string power_text(double value, int exponent) {
  if (exponent >= -3 && exponent <= 3) return fmt::format("{:g}", value);
  return fmt::format("{:.0e}", value);
}

// The densest of these that has no more than `count` and a few: 1 2 5, 1 3, every power, every
// n-th.
std::vector<Tick> logarithmic_ticks(const Axis& axis, int count) {
  const int first = static_cast<int>(std::floor(std::log10(axis.low))),
            last = static_cast<int>(std::ceil(std::log10(axis.high)));
  const auto collect = [&](const std::vector<int>& digits, int every) {
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; ++exponent) {
      if (exponent % every != 0) continue;
      for (const int digit : digits) {
        const double value = digit * std::pow(10.0, exponent);
        if (value < axis.low * (1 - 1e-9) || value > axis.high * (1 + 1e-9)) continue;
        ticks.push_back({value, power_text(value, exponent)});
      }
    }
    return ticks;
  };
  for (const std::vector<int>& digits : {std::vector{1, 2, 5}, std::vector{1, 3}}) {
    const auto ticks = collect(digits, 1);
    if (static_cast<int>(ticks.size()) <= count + 1) return ticks;
  }
  return collect({1}, std::max(1, (last - first + count - 1) / std::max(1, count)));
}

double nice_step(double range, int count) {
  const double raw = range / std::max(1, count);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

double Axis::to_pixel(double value) const {
  const double share =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return start + share * (end - start);
}

std::vector<Tick> make_ticks(const Axis& axis, int count) {
  if (axis.logarithmic) {
    auto ticks = logarithmic_ticks(axis, count);
    if (ticks.size() >= 2) return ticks;
  }
  std::vector<Tick> ticks;
  const double nice = nice_step(axis.high - axis.low, count);
  const double step = axis.whole ? std::max(1.0, nice) : nice;
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  for (double k = std::ceil(axis.low / step - 1e-9); k * step <= axis.high + 1e-9 * step; ++k) {
    const double value = k * step;
    if (axis.logarithmic && value <= 0) continue;
    std::string text = value == 0                      ? "0"
                       : largest < 1e-3                ? fmt::format("{:.4g}", value)
                       : largest >= 1e4 && step >= 100 ? large_text(value)
                                                       : fmt::format("{:.{}f}", value, decimals);
    ticks.push_back({value, std::move(text)});
  }
  return ticks;
}

Axis fit_axis(const std::vector<double>& values, bool logarithmic) {
  Axis axis;
  axis.logarithmic = logarithmic;
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) {
    if (logarithmic) axis.low = 0.1;
    return axis;
  }
  if (logarithmic) {
    axis.low = low / 1.26;
    axis.high = high * 1.26;
    return axis;
  }
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-12 * size) {
    const double room = size == 0 ? 1 : 0.1 * size;
    axis.low = low - room;
    axis.high = high + room;
    return axis;
  }
  const double margin = 0.05 * (high - low);
  axis.low = low >= 0 && low - margin < 0 ? 0 : low - margin;
  axis.high = high + margin;
  return axis;
}

bool wants_logarithm(const std::vector<double>& values) {
  double low = INFINITY, high = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    if (value <= 0) return false;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high > 50 * low;
}

}  // namespace algprior::report
