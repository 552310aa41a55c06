#include "../../kernels_for_now.hpp"
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/prior/equivariance.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/make_representation.hpp"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>
#include <torch/types.h>

namespace algprior {
namespace {

// E(x)[h] = f(T_h⁻¹ x) is equivariant to the regular representation whatever f is.
at::Tensor orbit_encoder(const Action& action, const at::Tensor& x) {
  const auto& group = action.group();
  const auto weight = at::arange(x[0].numel(), at::kFloat).mul(0.37).sin();
  std::vector<at::Tensor> coordinates;
  for (Element h = 0; h < group.order(); ++h) {
    const auto moved = action(group.inverse(h), x).flatten(1);
    coordinates.push_back((moved * weight).tanh().sum(1));
  }
  return at::stack(coordinates, 1);
}

// Departure D-4, written out: every sample against the partner of the first.
TEST(EquivarianceLoss, AgainstTheFirstSample) {
  const auto group = make_group("C4");
  const auto latent = planar_action(group);
  const auto z = at::rand({5, 2, 4, 4}), zg = at::rand({5, 2, 4, 4});
  const auto g = sample_elements(group, 5, RandomKey(0, "test"));
  double sum = 0;
  for (std::int64_t n = 0; n < 5; ++n) {
    const auto moved = latent(g, z)[n];
    sum += (zg[0] - moved).square().mean().item<double>() / 5;
  }
  EXPECT_NEAR(loss_against_first(latent, z, zg, g).item<double>(), sum, 1e-6);
  // An equivariant encoder is not at its minimum.
  EXPECT_GT(loss_against_first(latent, z, latent(g, z), g).item<double>(), 0.01);
  EXPECT_THROW(loss_against_first(latent, z, zg.narrow(0, 0, 1), g), InputError);
}

TEST(EquivarianceLoss, IsZeroForAnEquivariantEncoder) {
  const auto group = make_group("D4");
  const auto action = planar_action(group);
  const auto x = at::rand({20, 1, 5, 5});
  const auto g = sample_elements(group, 20, RandomKey(0, "test"));
  const auto z = orbit_encoder(action, x);
  const auto zg = orbit_encoder(action, action(g, x));
  const auto latent = latent_action(regular_representation(group), 8);
  EXPECT_EQ(equivariance_loss(latent, z, zg, g).item<float>(), 0.0F);
  // The inverse elements, the trivial representation and the identity do not serve.
  auto inverse = g.clone();
  for (std::int64_t n = 0; n < 20; ++n) {
    inverse[n] =
        static_cast<std::int64_t>(group.inverse(static_cast<Element>(g[n].item<std::int64_t>())));
  }
  EXPECT_GT(equivariance_loss(latent, z, zg, inverse).item<float>(), 1e-3F);
  EXPECT_GT(equivariance_loss(trivial_action(group), z, zg, g).item<float>(), 1e-3F);
}

TEST(EquivarianceLoss, IsTheMeanOverBatchAndCoordinates) {
  const auto group = make_group("C2");
  const auto latent = latent_action(regular_representation(group), 3);
  const auto z = at::tensor({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}).reshape({2, 3});
  const auto zg = at::zeros({2, 3});
  const auto g = at::tensor({0, 1}, at::kLong);
  EXPECT_FLOAT_EQ(equivariance_loss(latent, z, zg, g).item<float>(), 91.0F / 6.0F);
  const auto swapped = at::tensor({1.0F, 2.0F, 3.0F, 5.0F, 4.0F, 6.0F}).reshape({2, 3});
  EXPECT_EQ(equivariance_loss(latent, z, swapped, g).item<float>(), 0.0F);
}

TEST(EquivarianceLoss, GradientFlowsThroughBothSides) {
  const auto group = make_group("D4");
  const auto latent = latent_action(regular_representation(group), 10);
  const auto z = torch::randn({6, 10}, torch::requires_grad());
  const auto zg = torch::randn({6, 10}, torch::requires_grad());
  const auto g = sample_elements(group, 6, RandomKey(4, "test"));
  equivariance_loss(latent, z, zg, g).backward();
  // d/dzg = 2(zg − ρz)/(Nd), d/dz = −ρ⁻¹ of it.
  const auto expected = 2.0 * (zg - latent(g, z)).detach() / 60.0;
  EXPECT_TRUE(at::allclose(zg.grad(), expected, 1e-6, 1e-8));
  EXPECT_TRUE(at::equal(latent(g, z.grad()), -zg.grad()));
}

TEST(EquivarianceLoss, NothingBroadcasts) {
  const auto group = make_group("C2");
  const auto latent = latent_action(regular_representation(group), 4);
  const auto g = at::zeros({3}, at::kLong);
  EXPECT_THROW(equivariance_loss(latent, at::zeros({3, 4}), at::zeros({1, 4}), g), InputError);
  EXPECT_THROW(equivariance_loss(latent, at::zeros({3, 4}), at::zeros({4}), g), InputError);
  EXPECT_THROW(mean_squared_error(at::zeros({3, 1}), at::zeros({3})), InputError);
}

TEST(EquivarianceLoss, GatherAndDenseGiveEqualLosses) {
  const auto group = make_group("D4xD4");
  const auto z = at::randn({32, 66});
  const auto zg = at::randn({32, 66});
  const auto g = sample_elements(group, 32, RandomKey(5, "test"));
  const auto regular = regular_representation(group);
  const auto dense = equivariance_loss(latent_action(regular, 66, LatentPath::dense), z, zg, g);
  const auto gathered = [&](Kernels choice) {
    const KernelsForNow scope(choice);
    return equivariance_loss(latent_action(regular, 66), z, zg, g);
  };
  EXPECT_TRUE(at::equal(gathered(Kernels::torch), dense));
  EXPECT_TRUE(at::allclose(gathered(Kernels::native), dense, 1e-6, 0.0));
}

TEST(RelativeEquivarianceLoss, DoesNotFallWhenTheLatentsShrink) {
  const auto group = make_group("D4");
  const auto latent = latent_action(regular_representation(group), 10);
  const auto g = sample_elements(group, 12, RandomKey(4, "test"));
  const auto options = torch::dtype(torch::kFloat64).requires_grad(true);
  const auto z = torch::randn({12, 10}, options), zg = torch::randn({12, 10}, options);
  const auto loss = relative_equivariance_loss(latent, z, zg, g);
  const auto small = relative_equivariance_loss(latent, 1e-3 * z, 1e-3 * zg, g);
  EXPECT_NEAR(loss.item<double>(), small.item<double>(), 1e-12);
  EXPECT_GT(loss.item<double>(), 1.0);
  // No gradient along Z itself: nothing is won by its size.
  loss.backward();
  const auto along = (z * z.grad()).sum() + (zg * zg.grad()).sum();
  EXPECT_NEAR(along.item<double>(), 0, 1e-12);
  EXPECT_GT(z.grad().abs().max().item<double>(), 1e-3);
  const double step = 1e-6;
  const auto moved = z.detach().clone();
  moved[3][2] += step;
  const auto difference =
      relative_equivariance_loss(latent, moved, zg, g).item<double>() - loss.item<double>();
  EXPECT_NEAR(difference / step, z.grad()[3][2].item<double>(), 1e-5);
}

TEST(RelativeEquivarianceLoss, IsZeroForAnEquivariantEncoderAndForOneSample) {
  const auto group = make_group("D4");
  const auto latent = latent_action(regular_representation(group), 10);
  const auto z = torch::randn({12, 10});
  const auto g = sample_elements(group, 12, RandomKey(4, "test"));
  EXPECT_EQ(relative_equivariance_loss(latent, z, latent(g, z), g).item<double>(), 0);
  EXPECT_EQ(relative_equivariance_loss(latent, z.slice(0, 0, 1), z.slice(0, 1, 2), g.slice(0, 0, 1))
                .item<double>(),
            0);
  Terms terms;
  FixedPrior({{0, latent}}, 1.0, LossScale::relative).add_terms(terms, {z}, {2 * z}, g);
  EXPECT_FLOAT_EQ(terms.total().item<float>(),
                  relative_equivariance_loss(latent, z, 2 * z, g).item<float>());
}

TEST(RelativeEquivarianceLoss, IsTheLossOverTheMeanOfTheTwoSpreads) {
  const auto group = make_group("C4");
  const auto latent = latent_action(regular_representation(group), 8);
  const auto z = at::randn({6, 8}, at::kDouble), zg = 3 * at::randn({6, 8}, at::kDouble) + 1;
  const auto g = at::arange(6) % 4;
  const auto spread = [](const at::Tensor& t) { return t.var(0, false).mean().item<double>(); };
  const double expected =
      (zg - latent(g, z)).square().mean().item<double>() / (0.5 * (spread(z) + spread(zg)));
  EXPECT_NEAR(relative_equivariance_loss(latent, z, zg, g).item<double>(), expected, 1e-12);
  // A prior of each scale takes its own loss.
  for (const auto& [scale, loss] :
       {std::pair{LossScale::relative, relative_equivariance_loss(latent, z, zg, g)},
        {LossScale::against_first, loss_against_first(latent, z, zg, g)},
        {LossScale::absolute, equivariance_loss(latent, z, zg, g)}}) {
    Terms terms;
    FixedPrior({{0, latent}}, 1.0, scale).add_terms(terms, {z}, {zg}, g);
    EXPECT_EQ(terms.total().item<double>(), loss.item<double>());
  }
}

TEST(FixedPrior, NamesAndWeighsItsTerms) {
  const auto group = make_group("C4");
  const auto regular = regular_representation(group);
  const auto g = at::tensor({1, 2}, at::kLong);
  const std::vector<at::Tensor> z = {at::randn({2, 8}), at::randn({2, 3, 4, 4})};
  const std::vector<at::Tensor> zg = {at::randn({2, 8}), at::randn({2, 3, 4, 4})};
  Terms one;
  make_fixed_prior(regular, 8, 2.0).add_terms(one, z, zg, g);
  ASSERT_NE(one.find("equivariance"), nullptr);
  EXPECT_EQ(one.find("equivariance")->weight, 2.0);
  EXPECT_FLOAT_EQ(one.total().item<float>(), 2 * one.find("equivariance")->value.item<float>());
  // Several layers at once, one of them a grid.
  Terms several;
  const FixedPrior prior({{0, latent_action(regular, 8)}, {1, planar_action(group)}}, 1.0);
  prior.add_terms(several, z, zg, g);
  EXPECT_NE(several.find("equivariance_0"), nullptr);
  EXPECT_NE(several.find("equivariance_1"), nullptr);
  EXPECT_THROW(FixedPrior({{2, latent_action(regular, 8)}}, 1.0).add_terms(several, z, zg, g),
               InputError);
}

TEST(FixedPrior, RefusesWhatMakesNoSense) {
  const auto group = make_group("C4");
  const auto latent = latent_action(regular_representation(group), 8);
  EXPECT_THROW(FixedPrior({}, 1.0), InputError);
  EXPECT_THROW(FixedPrior({{0, latent}, {0, latent}}, 1.0), InputError);
  EXPECT_THROW(FixedPrior({{0, latent}}, -1.0), InputError);
  EXPECT_THROW(FixedPrior({{0, latent}}, std::nan("")), InputError);
  EXPECT_THROW(make_representation(group, "regulr"), InputError);
  EXPECT_EQ(make_representation(make_group("D4xD4"), "defining").dimension(), 16U);
  EXPECT_EQ(make_representation(group, "trivial").dimension(), 1U);
}

TEST(FixedPrior, WeightZeroLeavesNoTraceInTheGradient) {
  const auto group = make_group("C4");
  const auto z = torch::randn({3, 8}, torch::requires_grad());
  const auto zg = torch::randn({3, 8}, torch::requires_grad());
  Terms terms;
  terms.add("task", z.sum());
  make_fixed_prior(regular_representation(group), 8, 0.0)
      .add_terms(terms, {z}, {zg}, at::ones({3}, at::kLong));
  terms.total().backward();
  EXPECT_TRUE(at::equal(z.grad(), at::ones({3, 8})));
  EXPECT_FALSE(zg.grad().defined());
  EXPECT_GT(terms.find("equivariance")->value.item<float>(), 0.0F);
}

TEST(Pulls, AreTheNormsOfTheWeightedGradients) {
  const auto w = torch::tensor({3.0, 4.0}, torch::requires_grad());
  const auto v = torch::tensor({1.0}, torch::requires_grad());
  const auto other = torch::tensor({2.0}, torch::requires_grad());
  Terms terms;
  terms.add("square", 0.5 * w.square().sum(), 2.0);  // gradient w, norm 5
  terms.add("both", 2 * w.sum() + v.sum(), -1.0);    // (2, 2, 1): norm 3
  terms.add("elsewhere", other.sum());
  terms.add("constant", at::scalar_tensor(1.0));
  terms.add("off", w.sum(), 0.0);
  const auto found = pulls(terms, {w, v});
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].name, "square");
  EXPECT_NEAR(found[0].norm, 10.0, 1e-6);
  EXPECT_NEAR(found[1].norm, 3.0, 1e-6);
  for (std::size_t i = 2; i < 5; ++i) EXPECT_EQ(found[i].norm, 0.0) << found[i].name;
  EXPECT_FALSE(w.grad().defined());
  terms.total().backward();  // the graph is still there
  EXPECT_TRUE(w.grad().defined());
}

TEST(Terms, SumInOrderAndRefuseNonsense) {
  Terms terms;
  EXPECT_THROW(terms.total(), InputError);
  terms.add("a", at::scalar_tensor(2.0), 0.5);
  terms.add("b", at::scalar_tensor(3.0));
  EXPECT_EQ(terms.total().item<float>(), 4.0F);
  EXPECT_THROW(terms.add("a", at::scalar_tensor(1.0)), InputError);
  EXPECT_THROW(terms.add("c", at::zeros({1})), InputError);
  EXPECT_THROW(terms.add("d", at::scalar_tensor(1.0), std::nan("")), InputError);
  EXPECT_EQ(terms.find("c"), nullptr);
}

TEST(Terms, AreScaledByNameWithAllTheirLayers) {
  Terms terms;
  for (const char* name : {"task", "prior", "prior_0", "prior_1", "priority", "a_prior", "b_0"}) {
    terms.add(name, at::scalar_tensor(1.0), 2.0);
  }
  terms.scale("prior", 0.5);
  for (const Term& term : terms.all()) {
    const bool scaled = term.name == "prior" || term.name == "prior_0" || term.name == "prior_1";
    EXPECT_EQ(term.weight, scaled ? 1.0 : 2.0) << term.name;
    EXPECT_EQ(belongs_to(term, "prior"), scaled) << term.name;
  }
}

}  // namespace
}  // namespace algprior
