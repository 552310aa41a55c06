#include "algprior/analysis/equivariance.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <cmath>

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

}  // namespace
}  // namespace algprior
