#include "algprior/paper/statistics.hpp"

#include "algprior/base/error.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(Summary, UsesTheSampleDeviation) {
  const std::vector<double> values{1, 2, 3, 4};
  const Summary summary = summarize(values);
  EXPECT_DOUBLE_EQ(summary.mean, 2.5);
  EXPECT_DOUBLE_EQ(summary.deviation, std::sqrt(5.0 / 3.0));
}

TEST(Summary, OneRunHasNoSpreadAndNoneIsAnError) {
  EXPECT_EQ(summarize(std::vector<double>{0.8}).deviation, 0);
  EXPECT_THROW(summarize({}), InputError);
}

// The effects that the paper prints follow from its printed means and deviations of three runs.
TEST(CohensD, ReproducesThePapersEffects) {
  const auto d = [](double m1, double s1, double m2, double s2) {
    return cohens_d({3, m1, s1}, {3, m2, s2});
  };
  EXPECT_NEAR(d(0.868, 0.002, 0.800, 0.001), 43.0, 0.05);  // DDMNIST D4, regular against CNN
  EXPECT_NEAR(d(0.887, 0.005, 0.879, 0.007), 1.32, 0.01);  // Nodule, regular against augmented CNN
  EXPECT_NEAR(d(0.81, 0.01, 0.78, 0.01), 3.0, 0.05);       // SMOKE future, CNN against regular
}

TEST(CohensD, PoolsUnequalCountsByTheirDegreesOfFreedom) {
  EXPECT_NEAR(cohens_d({5, 2, 1}, {2, 1, 3}), 1 / std::sqrt((4 * 1 + 1 * 9) / 5.0), 1e-12);
}

TEST(CohensD, IsUndefinedWithoutSpread) {
  EXPECT_TRUE(std::isnan(cohens_d({1, 2, 0}, {1, 1, 0})));
  EXPECT_TRUE(std::isnan(cohens_d({1, 2, 0}, {3, 1, 0.1})));
  EXPECT_TRUE(std::isnan(cohens_d({3, 2, 0.1}, {1, 1, 0})));
  EXPECT_EQ(effect_stars(cohens_d({1, 2, 0}, {3, 1, 0.1})), "");
  EXPECT_TRUE(std::isnan(cohens_d({3, 2, 0}, {3, 1, 0})));
}

TEST(EffectStars, FollowThePapersThresholds) {
  EXPECT_EQ(effect_stars(0.49), "");
  EXPECT_EQ(effect_stars(-0.5), "*");
  EXPECT_EQ(effect_stars(0.8), "**");
  EXPECT_EQ(effect_stars(-1.2), "***");
}

}  // namespace
}  // namespace algprior
