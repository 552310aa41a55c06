// Intervals must cover the truth about as often as they say: 95 % of the time, seen in 200
// repetitions.
#include "algprior/audit/audit.hpp"
#include "algprior/group/make_group.hpp"
#include "planted.hpp"

#include <cstdio>

#include <gtest/gtest.h>

namespace algprior {
namespace {

constexpr int kRepetitions = 200;
constexpr std::size_t kSamples = 200;

struct Covered {
  int regular = 0, fitted = 0, multiplicity = 0, multiplicities = 0;
};

Covered count_covered(const char* name, double noise) {
  const Group group = make_group(name);
  const Representation regular = copies(regular_representation(group), 2);
  const auto d = static_cast<Eigen::Index>(regular.dimension());
  const double s = noise * noise;
  // E‖y − ρ(g)x‖² = 2dε², tr Cov = d(1 + ε²).
  const double truth = std::sqrt(s / (1 + s));
  // Least squares shrinks ρ by 1/(1 + ε²): E‖y − ρ̂x‖² = d(1 + ε² − 1/(1 + ε²)), and what d unknowns
  // take from as many rows as there are pairs to fit.
  const double rows = 0.5 * kSamples * static_cast<double>(group.order());
  const double fitted_truth =
      std::sqrt((1 - 1 / ((1 + s) * (1 + s))) / 2 * (1 + static_cast<double>(d) / rows));
  Covered covered;
  AuditOptions options;
  options.bootstrap = 500;
  options.theorem_samples = 1;
  options.probe_samples = 1;
  for (int i = 0; i < kRepetitions; ++i) {
    const Planted data = plant(regular, Eigen::MatrixXd::Identity(d, d), kSamples, noise,
                               1000 + static_cast<std::uint64_t>(i));
    options.seed = static_cast<std::uint64_t>(i);
    const AuditReport report = audit(data.orbits(), group, options);
    const auto inside = [](const Estimate& one, double value) {
      return one.low <= value && value <= one.high;
    };
    covered.regular += inside(*report.errors.regular, truth);
    covered.fitted += inside(*report.errors.fitted, fitted_truth);
    for (const FittedMultiplicity& one : report.fitted.multiplicities) {
      covered.multiplicity += inside(one.value, 2.0 * one.degree);
      ++covered.multiplicities;
    }
  }
  return covered;
}

TEST(AuditCoverage, IntervalsCoverAsOftenAsTheySay) {
  for (const char* name : {"C4", "D4", "Q8"}) {
    SCOPED_TRACE(name);
    const Covered covered = count_covered(name, 0.3);
    EXPECT_GE(covered.regular, kRepetitions * 90 / 100);
    EXPECT_LE(covered.regular, kRepetitions * 99 / 100);
    EXPECT_GE(covered.fitted, kRepetitions * 90 / 100);
    EXPECT_LE(covered.fitted, kRepetitions * 99 / 100);
    EXPECT_GE(covered.multiplicity, covered.multiplicities * 90 / 100);
    EXPECT_LE(covered.multiplicity, covered.multiplicities * 99 / 100);
    std::printf("%s: regular %d, fitted %d of %d, multiplicities %d of %d\n", name, covered.regular,
                covered.fitted, kRepetitions, covered.multiplicity, covered.multiplicities);
  }
}

}  // namespace
}  // namespace algprior
