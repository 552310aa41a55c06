#include "algprior/paper/statistics.hpp"

#include "algprior/base/error.hpp"

#include <cmath>
#include <limits>

namespace algprior {

Summary summarize(std::span<const double> values) {
  if (values.empty()) {
    throw InputError({"cannot summarize an empty sample", "", "at least one value", ""});
  }
  Summary summary{values.size(), 0, 0};
  for (double value : values) summary.mean += value / static_cast<double>(values.size());
  if (values.size() == 1) return summary;
  double squares = 0;
  for (double value : values) squares += (value - summary.mean) * (value - summary.mean);
  summary.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return summary;
}

double cohens_d(const Summary& first, const Summary& second) {
  const auto squares = [](const Summary& s) {
    return s.count > 1 ? static_cast<double>(s.count - 1) * s.deviation * s.deviation : 0.0;
  };
  if (first.count + second.count < 3) return std::numeric_limits<double>::quiet_NaN();
  const auto freedom = static_cast<double>(first.count + second.count - 2);
  const double pooled = std::sqrt((squares(first) + squares(second)) / freedom);
  if (pooled == 0) return std::numeric_limits<double>::quiet_NaN();
  return (first.mean - second.mean) / pooled;
}

std::string effect_stars(double d) {
  const double size = std::abs(d);
  if (size >= 1.2) return "***";
  if (size >= 0.8) return "**";
  if (size >= 0.5) return "*";
  return "";
}

}  // namespace algprior
