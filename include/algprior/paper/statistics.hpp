#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace algprior {

/// Mean and spread of repeated runs.
struct Summary {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  ///< sample standard deviation (n − 1); 0 for a single run
};

/// Throws InputError for an empty sample.
Summary summarize(std::span<const double> values);

/// Cohen's d = (x̄₁ − x̄₂)/s with the pooled deviation s² = ((n₁−1)s₁² + (n₂−1)s₂²)/(n₁+n₂−2).
/// NaN when a sample is a single run, which has no deviation, or when neither varies: an effect
/// would promise more than they know.
double cohens_d(const Summary& first, const Summary& second);

/// The paper's marks for |d|: "" below 0.5, "*" medium, "**" large from 0.8, "***" very large
/// from 1.2.
std::string effect_stars(double d);

/// Of pairs of runs that began alike: the mean difference, and half the width of its 95 % interval
/// by Student's t; nothing for a single pair, of which no spread can be seen.
struct PairedDifference {
  std::size_t count = 0;
  double mean = 0;
  std::optional<double> half_width;
};
/// Throws InputError without a pair.
PairedDifference paired_difference(std::span<const double> differences);

}  // namespace algprior
