#include "algprior/analysis/auc.hpp"

#include "algprior/base/error.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

/// The definition: how often a positive scores higher than a negative, a tie counting half.
double by_pairs(const at::Tensor& scores, const at::Tensor& positive) {
  const auto high = scores.masked_select(positive).unsqueeze(1);
  const auto low = scores.masked_select(positive.logical_not()).unsqueeze(0);
  const auto wins = (high > low).to(at::kDouble) + 0.5 * (high == low).to(at::kDouble);
  return wins.mean().item<double>();
}

TEST(AreaUnderCurve, CountsPairsInTheRightOrder) {
  const auto marks = at::tensor({0, 0, 1, 1}).to(at::kBool);
  EXPECT_DOUBLE_EQ(area_under_curve(at::tensor({0.1, 0.2, 0.3, 0.4}), marks), 1.0);
  EXPECT_DOUBLE_EQ(area_under_curve(at::tensor({0.4, 0.3, 0.2, 0.1}), marks), 0.0);
  EXPECT_DOUBLE_EQ(area_under_curve(at::tensor({0.1, 0.35, 0.3, 0.8}), marks), 0.75);
  EXPECT_DOUBLE_EQ(area_under_curve(at::zeros({4}), marks), 0.5);
  torch::manual_seed(9);
  for (const std::int64_t levels : {2, 7, 1000}) {
    const auto scores = at::randint(levels, {200}, at::kDouble);
    const auto positive = at::rand({200}) < 0.3;
    EXPECT_NEAR(area_under_curve(scores, positive), by_pairs(scores, positive), 1e-12) << levels;
  }
}

TEST(AreaUnderCurve, IsUndefinedWithoutBothKindsOrWithoutAnOrder) {
  EXPECT_TRUE(std::isnan(area_under_curve(at::rand({5}), at::ones({5}, at::kBool))));
  EXPECT_TRUE(std::isnan(area_under_curve(at::rand({5}), at::zeros({5}, at::kBool))));
  const auto marks = at::tensor({0, 1, 1}).to(at::kBool);
  for (std::int64_t place = 0; place < 3; ++place) {
    auto scores = at::rand({3});
    scores[place] = std::nan("");
    EXPECT_TRUE(std::isnan(area_under_curve(scores, marks)));
  }
}

TEST(AreaUnderCurve, RefusesWhatDoesNotFit) {
  const auto marks = at::ones({4}, at::kBool);
  EXPECT_THROW(area_under_curve({}, marks), InputError);
  EXPECT_THROW(area_under_curve(at::rand({4}), {}), InputError);
  EXPECT_THROW(area_under_curve(at::rand({3}), marks), InputError);
  EXPECT_THROW(area_under_curve(at::rand({2, 2}), marks.view({2, 2})), InputError);
  EXPECT_THROW(area_under_curve(at::rand({4}).to(at::kComplexFloat), marks), InputError);
}

TEST(ClassificationAuc, IsTheMeanOverClassesAgainstTheRest) {
  torch::manual_seed(10);
  const auto logits = at::randn({60, 3}, at::kDouble);
  const auto labels = at::arange(60) % 3;
  const auto shares = logits.softmax(1);
  double mean = 0;
  for (std::int64_t c = 0; c < 3; ++c) mean += by_pairs(shares.select(1, c), labels.eq(c)) / 3;
  EXPECT_NEAR(classification_auc(logits, labels), mean, 1e-12);
  // Of two classes the second is the positive one.
  const auto two = logits.narrow(1, 0, 2);
  EXPECT_NEAR(classification_auc(two, labels % 2),
              by_pairs(two.softmax(1).select(1, 1), (labels % 2).eq(1)), 1e-12);
}

TEST(ClassificationAuc, RefusesWhatDoesNotFit) {
  const auto labels = at::zeros({4}, at::kLong);
  EXPECT_THROW(classification_auc({}, labels), InputError);
  EXPECT_THROW(classification_auc(at::rand({4, 2}), {}), InputError);
  EXPECT_THROW(classification_auc(at::rand({4, 1}), labels), InputError);
  EXPECT_THROW(classification_auc(at::rand({3, 2}), labels), InputError);
  EXPECT_THROW(classification_auc(at::rand({4}), labels), InputError);
  EXPECT_THROW(classification_auc(at::rand({4, 2}), labels.view({4, 1})), InputError);
  EXPECT_THROW(classification_auc(at::rand({4, 2}).to(at::kComplexFloat), labels), InputError);
}

}  // namespace
}  // namespace algprior
