#include "algprior/analysis/equivariance.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <torch/types.h>

namespace algprior {
namespace {

class EquivarianceError : public testing::Test {
 protected:
  const Group group_ = make_group("D4");
  const Action latent_ = latent_action(regular_representation(group_), 10);
  const at::Tensor z_ = torch::sin(torch::arange(400 * 10, torch::kFloat64)).reshape({400, 10});
  const at::Tensor g_ = torch::arange(400) % 8;
};

TEST_F(EquivarianceError, IsZeroForAnEquivariantEncoder) {
  EXPECT_EQ(equivariance_error(latent_, z_, latent_(g_, z_), g_), 0.0);
}

// A shift by δ in every coordinate is δ² away in the mean, whatever the group does.
TEST_F(EquivarianceError, IsTheDistanceRelativeToTheSpread) {
  const double spread = std::sqrt((z_ - z_.mean(0, true)).square().mean().item<double>());
  EXPECT_NEAR(equivariance_error(latent_, z_, latent_(g_, z_) + 0.25, g_), 0.25 / spread, 1e-12);
  EXPECT_NEAR(latent_spread(z_), spread * spread, 1e-12);
  EXPECT_NEAR(latent_spread(7 * z_ + 3), 49 * spread * spread, 1e-12);
}

TEST_F(EquivarianceError, DoesNotChangeWithTheScaleOfTheLatentSpace) {
  const at::Tensor zg = torch::cos(z_ * 3);
  EXPECT_NEAR(equivariance_error(latent_, z_, zg, g_),
              equivariance_error(latent_, 7 * z_, 7 * zg, g_), 1e-12);
}

TEST_F(EquivarianceError, SeesTheWrongSideOfTheAction) {
  const at::Tensor inverse = torch::tensor({0, 3, 2, 1, 4, 5, 6, 7}).index_select(0, g_);
  EXPECT_GT(equivariance_error(latent_, z_, latent_(inverse, z_), g_), 0.1);
}

TEST_F(EquivarianceError, OfAConstantEncoderIsUndefined) {
  const at::Tensor constant = torch::ones({400, 10});
  EXPECT_TRUE(std::isnan(equivariance_error(latent_, constant, constant, g_)));
}

TEST_F(EquivarianceError, RefusesUnequalShapes) {
  EXPECT_THROW(equivariance_error(latent_, z_, z_.narrow(0, 0, 1), g_), InputError);
}

TEST_F(EquivarianceError, ByElementTellsWhichOneIsWrong) {
  const double spread = std::sqrt(latent_spread(z_));
  const auto shifted = latent_(g_, z_) + 0.25 * g_.eq(3).unsqueeze(1);
  const auto errors = element_errors(latent_, z_, shifted, g_);
  ASSERT_EQ(errors.size(), 8u);
  for (std::size_t g = 0; g < 8; ++g) EXPECT_NEAR(errors[g], g == 3 ? 0.25 / spread : 0.0, 1e-12);
  // Without a pair of its own an element has no error.
  const auto few = element_errors(latent_, z_, z_, at::zeros({400}, at::kLong));
  EXPECT_EQ(few[0], 0.0);
  for (std::size_t g = 1; g < 8; ++g) EXPECT_TRUE(std::isnan(few[g]));
  EXPECT_THROW(element_errors(latent_, z_, z_, {}), InputError);
  EXPECT_THROW(element_errors(latent_, z_, z_, g_.narrow(0, 0, 5)), InputError);
  EXPECT_THROW(element_errors(latent_, z_, z_, g_.view({400, 1})), InputError);
  EXPECT_THROW(element_errors(latent_, z_, z_.narrow(1, 0, 9), g_), InputError);
}

TEST_F(EquivarianceError, RefusesWhatIsNoLatent) {
  EXPECT_THROW(latent_spread({}), InputError);
  EXPECT_THROW(latent_spread(at::ones({})), InputError);
  EXPECT_THROW(latent_spread(z_.to(at::kComplexDouble)), InputError);
}

TEST_F(EquivarianceError, OfTheBestLinearMapWantsTwiceAsManySamplesAsUnknowns) {
  const auto z = torch::sin(torch::arange(1, 241, torch::kFloat64).square()).reshape({24, 10});
  EXPECT_LT(linear_error(z, 2 * z), 1e-6);
  try {
    linear_error(z.slice(0, 0, 23), z.slice(0, 0, 23));
    ADD_FAILURE() << "fitted 11 rows";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("at least 24 rows"), std::string::npos);
  }
  for (const std::int64_t side : {0, 1}) {
    auto broken = z.clone();
    broken[5][5] = std::nan("");
    EXPECT_THROW(linear_error(side == 0 ? broken : z, side == 0 ? z : broken), InputError);
  }
  EXPECT_THROW(linear_error(z, z.unsqueeze(2)), InputError);
  EXPECT_THROW(linear_error(z.flatten(), z), InputError);
  EXPECT_LT(linear_error(z, z.narrow(1, 0, 3)), 1e-6);  // to another space
}

TEST_F(EquivarianceError, OfTheBestLinearMapIsZeroForAnyLinearMapAndLargeForOthers) {
  const auto mix = torch::cos(torch::arange(100, torch::kFloat64) * 1.3).reshape({10, 10});
  const auto z = torch::sin(torch::arange(1, 4001, torch::kFloat64).square()).reshape({400, 10});
  EXPECT_LT(linear_error(z, torch::matmul(z, mix) + 2.0), 1e-6);
  EXPECT_GT(linear_error(z, torch::cos(40 * z)), 0.5);
  // Noise of deviation σ is not fitted away: it stays, scored on samples that were not fitted.
  const auto noise = 0.1 * torch::sin(torch::arange(1, 4001, torch::kFloat64).square() * 1.7);
  const double expected = 0.1 * std::sqrt(0.5) / std::sqrt(latent_spread(z));
  EXPECT_NEAR(linear_error(z, z + noise.reshape({400, 10})), expected, 0.15 * expected);
  EXPECT_THROW(linear_error(z.slice(0, 0, 20), z.slice(0, 0, 20)), InputError);
  EXPECT_THROW(linear_error(z, z.slice(0, 0, 20)), InputError);
}

}  // namespace
}  // namespace algprior
