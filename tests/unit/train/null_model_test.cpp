#include "algprior/train/null_model.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

namespace algprior {
namespace {

AlgebraLoss c2_loss() {
  return AlgebraLoss(make_group("C2"), {.regulariser = Regulariser::inverse});
}

TEST(NullModel, SeedsDoNotFeelEachOther) {
  const auto loss = c2_loss();
  NullModelOptions options{.dimension = 5, .seeds = 4, .steps = 300};
  const auto together = run_null_model(loss, options);
  options.first_seed = 2;
  options.seeds = 1;
  const auto alone = run_null_model(loss, options);
  EXPECT_TRUE(at::allclose(together.generators[0][2], alone.generators[0][0], 1e-3, 1e-4));
  // As a LearnedRepresentation of that seed starts.
  options.steps = 0;
  const LearnedRepresentation rho(loss.group(),
                                  LearnedRepresentationOptions{.dimension = 5, .seed = 2});
  EXPECT_TRUE(at::equal(run_null_model(loss, options).generators[0][0],
                        rho->generators()[0].detach().to(at::kDouble)));
}

// The control of the paper's counts: 3, 4 or 5 eigenvalues −1 of 8 without any data (20, 51 and
// 28 % of 200 seeds).
TEST(NullModel, NearRegularCountsAppearWithoutData) {
  const auto loss = c2_loss();
  const auto result = run_null_model(loss, {.seeds = 40, .steps = 2000});
  ASSERT_EQ(result.algebra.size(), 40U);
  ASSERT_EQ(result.multiplicities.size(), 40U);
  double middle = 0, mean = 0;
  for (std::size_t s = 0; s < 40; ++s) {
    ASSERT_EQ(result.multiplicities[s].size(), 2U);
    EXPECT_NEAR(result.multiplicities[s][0] + result.multiplicities[s][1], 8.0, 1e-9);
    EXPECT_EQ(result.counts[0][s][1], std::round(result.multiplicities[s][1]));
    if (std::abs(result.multiplicities[s][1] - 4.0) < 1.5) middle += 1.0 / 40;
    mean += result.multiplicities[s][1] / 40;
    EXPECT_EQ(result.converged[s], result.algebra[s] <= 1e-3);
    // What has converged is nearly an exact representation: its trace is nearly n(1) − n(−1).
    const auto trace = result.generators[0][static_cast<std::int64_t>(s)].trace().item<double>();
    if (result.converged[s]) {
      EXPECT_NEAR(trace, 8.0 - 2.0 * result.multiplicities[s][1], 0.3);
    }
  }
  EXPECT_GT(middle, 0.75);  // about 95 % of many seeds
  EXPECT_NEAR(mean, 4.0, 0.5);
  EXPECT_LT(result.unconverged(), 20);
  const auto csv = to_csv(result, loss);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 41);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "seed,algebra_loss,converged,r:1,r:-1");
}

// Trap 23: what does not converge is marked and stays.
TEST(NullModel, MarksWhatHasNotConverged) {
  const auto loss = c2_loss();
  const auto early = run_null_model(loss, {.seeds = 8, .steps = 1});
  EXPECT_EQ(early.unconverged(), 8);
  EXPECT_EQ(early.algebra.size(), 8U);
  // A learning rate that throws every seed away: not finite, or far off, but present.
  const auto wild = run_null_model(loss, {.seeds = 3, .steps = 5, .learning_rate = 1e30});
  EXPECT_EQ(wild.unconverged(), 3);
  EXPECT_EQ(wild.multiplicities.size(), 3U);
  EXPECT_THROW(run_null_model(loss, {.seeds = 0}), InputError);
  int calls = 0;
  EXPECT_THROW(run_null_model(loss, {.seeds = 1},
                              [&](std::int64_t step) {
                                ++calls;
                                if (step >= 200) throw Interrupted({"stop", "", "", ""});
                              }),
               Interrupted);
  EXPECT_EQ(calls, 3);
}

TEST(NullModel, TakesGroupsWithSeveralGenerators) {
  const auto group = make_group("D3");
  const AlgebraLoss loss(group, {.regulariser = Regulariser::damped_commutation});
  const auto result = run_null_model(loss, {.dimension = 6, .seeds = 3, .steps = 20});
  EXPECT_EQ(result.generators.size(), 2U);
  EXPECT_EQ(result.counts[1][0].size(), 2U);
  EXPECT_EQ(result.multiplicities[0].size(), 3U);
}

}  // namespace
}  // namespace algprior
