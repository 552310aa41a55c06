// Two encoders on the same samples.
#include "algprior/audit/audit_subject.hpp"
#include "algprior/base/error.hpp"
#include "assemble.hpp"
#include "bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

void check_comparable(const AuditSubject& first, const AuditSubject& second) {
  const AuditFile &a = first.embeddings, &b = second.embeddings;
  const auto labels_a = a.context().labels, labels_b = b.context().labels;
  const bool labels_differ =
      !labels_a.empty() && !labels_b.empty() &&
      !std::equal(labels_a.begin(), labels_a.end(), labels_b.begin(), labels_b.end());
  if (a.samples() == b.samples() && a.is_pairs() == b.is_pairs() && !labels_differ) return;
  throw InputError({"these encoders did not see the same samples",
                    fmt::format("{}: {} samples, {}: {}{}", first.name, a.samples(), second.name,
                                b.samples(), labels_differ ? ", with other labels" : ""),
                    "embeddings of the same inputs in the same order",
                    "embed one data set with both encoders"});
}

/// Paired: one draw of samples serves both encoders.
std::optional<Estimate> difference_of(const auditing::ErrorSums& a, const auditing::ErrorSums& b,
                                      const std::string& name, const AuditOptions& options) {
  const auto one = a.errors.find(name), other = b.errors.find(name);
  if (one == a.errors.end() || other == b.errors.end()) return std::nullopt;
  const Eigen::Index samples = a.spread.size();
  auditing::RowMatrix columns(samples, 6);
  const auto fill = [&](const auditing::ErrorSums& sums, const auditing::PairErrors& errors,
                        Eigen::Index at) {
    columns.col(at) = sums.spread;
    columns.col(at + 1) = errors.sum;
    columns.col(at + 2) = errors.count;
  };
  fill(a, one->second, 0);
  fill(b, other->second, 3);
  const auto error = [samples](const Eigen::VectorXd& sums, Eigen::Index at, double correction) {
    return std::sqrt(0.5 * static_cast<double>(samples) / correction * sums[at + 1] / sums[at + 2] /
                     sums[at]);
  };
  const auditing::Statistic statistic = [&](const Eigen::VectorXd& sums) {
    return error(sums, 0, a.correction) - error(sums, 3, b.correction);
  };
  auditing::Meter meter;
  return auditing::bootstrap_intervals(columns, {statistic}, options.bootstrap, options.seed, meter)
      .front();
}

}  // namespace

AuditComparison compare_audits(const AuditSubject& first, const AuditSubject& second,
                               const Group& group, const AuditOptions& options) {
  check_comparable(first, second);
  auditing::ErrorSums a, b;
  AuditComparison result;
  result.first = auditing::audit_subject(first, group, options, &a);
  result.second = auditing::audit_subject(second, group, options, &b);
  result.difference.invariance = difference_of(a, b, "trivial", options);
  result.difference.regular = difference_of(a, b, "regular", options);
  result.difference.defining = difference_of(a, b, "defining", options);
  result.difference.given = difference_of(a, b, "given", options);
  result.difference.fitted = difference_of(a, b, "fitted", options);
  return result;
}

std::string to_text(const AuditComparison& comparison) {
  std::string text = fmt::format("Paired differences of errors, {} minus {} (95 % intervals):\n",
                                 comparison.first.subject, comparison.second.subject);
  const auto add = [&](const char* name, const std::optional<Estimate>& one) {
    if (!one) return;
    const char* words = one->high < 0  ? "the first is nearer"
                        : one->low > 0 ? "the second is nearer"
                                       : "no difference shown";
    text += fmt::format("  {:<10} {:+.3f}  {:+.3f} to {:+.3f}  {}\n", name, one->value, one->low,
                        one->high, words);
  };
  add("invariance", comparison.difference.invariance);
  add("regular", comparison.difference.regular);
  add("defining", comparison.difference.defining);
  add("given", comparison.difference.given);
  add("fitted", comparison.difference.fitted);
  return text;
}

}  // namespace algprior
