#include "algprior/paper/statistics.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
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
    return static_cast<double>(s.count - 1) * s.deviation * s.deviation;
  };
  if (std::min(first.count, second.count) < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto freedom = static_cast<double>(first.count + second.count - 2);
  const double pooled = std::sqrt((squares(first) + squares(second)) / freedom);
  if (pooled == 0) return std::numeric_limits<double>::quiet_NaN();
  return (first.mean - second.mean) / pooled;
}

PairedDifference paired_difference(std::span<const double> differences) {
  const Summary summary = summarize(differences);
  PairedDifference result{summary.count, summary.mean, {}};
  if (summary.count < 2) return result;
  // 97.5 % quantiles of Student's t for 1 … 20 degrees of freedom; beyond them the normal
  // quantile with its first correction, exact to a thousandth.
  constexpr double kQuantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                   2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                                   2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
  const std::size_t freedom = summary.count - 1;
  const double quantile = freedom <= std::size(kQuantiles)
                              ? kQuantiles[freedom - 1]
                              : 1.95996 + 2.3722 / static_cast<double>(freedom);
  result.half_width = quantile * summary.deviation / std::sqrt(static_cast<double>(summary.count));
  return result;
}

std::string effect_stars(double d) {
  const double size = std::abs(d);
  if (size >= 1.2) return "***";
  if (size >= 0.8) return "**";
  if (size >= 0.5) return "*";
  return "";
}

}  // namespace algprior
