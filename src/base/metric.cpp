#include "algprior/base/metric.hpp"

#include <algorithm>

namespace algprior {
namespace {

bool is_family(const Metric& metric) {
  return metric.name.ends_with('/') || metric.name.ends_with('_');
}

std::string_view better_text(Better better) {
  switch (better) {
    case Better::higher:
      return "higher";
    case Better::lower:
      return "lower";
    case Better::neither:
      return "";
  }
  return "";
}

}  // namespace

const std::vector<Metric>& all_metrics() {
  using namespace metrics;
  static const std::vector<Metric> all = {kAugmentedTestAccuracy,
                                          kTestAccuracy,
                                          kAugmentedTestError,
                                          kTestError,
                                          kAugmentedTestAuc,
                                          kTestAuc,
                                          kFutureRmse,
                                          kDomainRmse,
                                          kRmseBySamples,
                                          kBestWeights,
                                          kRmse,
                                          kEquivarianceError,
                                          kEquivarianceErrorRegular,
                                          kInvarianceError,
                                          kLatentSpread,
                                          kRoom,
                                          kLinearError,
                                          kLinearErrorBetween,
                                          kPriorBalance,
                                          kAccuracy,
                                          kError,
                                          kLoss,
                                          kTaskLoss,
                                          kValidation,
                                          kBestEpoch,
                                          kDiverged,
                                          kConverged,
                                          kAlgebraLoss,
                                          kRelatorLoss,
                                          kEquivarianceLoss,
                                          kMultiplicity,
                                          kMultiplicityByElements,
                                          kMultiplicityByEigenvalues,
                                          kEigenvalues,
                                          kEigenvalueTies,
                                          kSigmaMin,
                                          kCopiesOfRegular,
                                          kIndependentOrbits,
                                          kOrbitTolerance,
                                          kNearestDistance,
                                          kTheorem,
                                          kLocalProbe,
                                          kPerfectOrbits,
                                          kGlobalProbe,
                                          kInvarianceLoss,
                                          kSeeds,
                                          kUnconverged,
                                          kMedianAlgebraLoss,
                                          kShare};
  return all;
}

const Metric* find_metric(std::string_view name) {
  const auto& all = all_metrics();
  for (const Metric& metric : all) {
    if (metric.name == name) return &metric;
  }
  for (const Metric& metric : all) {
    if (is_family(metric) && name.size() > metric.name.size() && name.starts_with(metric.name)) {
      return &metric;
    }
  }
  return nullptr;
}

std::string metric_glossary() {
  std::string text =
      "# Metrics\n\nWhat each number of a `result.json` and of `metrics.jsonl` means. One name has "
      "one estimator. A name that ends in `/` or `_` stands for a family. This page is written by "
      "`algprior docs metrics`.\n\n| name | meaning | unit | better |\n|---|---|---|---|\n";
  for (const Metric& metric : all_metrics()) {
    text += "| `" + std::string(metric.name) + "` | " + std::string(metric.meaning) + " | " +
            std::string(metric.unit) + " | " + std::string(better_text(metric.better)) + " |\n";
  }
  return text;
}

}  // namespace algprior
