#include "algprior/action/latent.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/prior/equivariance.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/prior/learned_prior.hpp"
#include "algprior/rep/constructions.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

LearnedRepresentation learned(const std::string& group, std::int64_t d, std::uint64_t seed = 0) {
  return LearnedRepresentation(make_group(group),
                               LearnedRepresentationOptions{.dimension = d, .seed = seed});
}

LearnedRepresentation exact(const Group& group, std::size_t copies_of_regular) {
  return to_learned(to_approximate(copies(regular_representation(group), copies_of_regular)));
}

TEST(LearnedRepresentation, StartsAsNamedAndFromItsSeedAlone) {
  constexpr std::int64_t kSize = 60;
  const auto start = [](MatrixStart kind, double noise, std::uint64_t seed = 3) {
    return start_matrix({.dimension = kSize, .start = kind, .noise = noise, .seed = seed}, 0)
        .to(at::kDouble);
  };
  const auto normal = start(MatrixStart::normal, 0);
  EXPECT_NEAR(normal.mean().item<double>(), 0.0, 0.1);
  EXPECT_NEAR(normal.std().item<double>(), 1.0, 0.1);
  const auto uniform = start(MatrixStart::uniform, 0);
  EXPECT_GE(uniform.min().item<double>(), 0.0);
  EXPECT_LE(uniform.max().item<double>(), 1.0);
  EXPECT_NEAR(uniform.mean().item<double>(), 0.5, 0.05);
  const auto one = at::eye(kSize, at::kDouble);
  const auto q = start(MatrixStart::orthogonal, 0);
  EXPECT_LT((at::matmul(q, q.t()) - one).abs().max().item<double>(), 1e-5);
  EXPECT_NEAR((start(MatrixStart::orthogonal, 0.3) - q).std().item<double>(), 0.3, 0.03);
  EXPECT_TRUE(at::equal(start(MatrixStart::identity, 0), one));
  EXPECT_NEAR((start(MatrixStart::identity, 1) - one).std().item<double>(), 1.0, 0.1);
  EXPECT_TRUE(at::equal(normal, start(MatrixStart::normal, 0)));
  EXPECT_FALSE(at::equal(normal, start(MatrixStart::normal, 0, 4)));
  const auto rho = learned("D3", 5);
  EXPECT_FALSE(at::equal(rho->generators()[0], rho->generators()[1]));
}

TEST(LearnedRepresentation, SharedTensorsAreUsedAsTheyAre) {
  const Group group = make_group("D3");
  std::vector<at::Tensor> owned{torch::randn({3, 3}).set_requires_grad(true), torch::randn({3, 3})};
  const LearnedRepresentation shared(group, LearnedRepresentationImpl::Shared{owned});
  EXPECT_TRUE(shared->parameters().empty());
  EXPECT_TRUE(shared->generators()[0].is_same(owned[0]));
  EXPECT_FALSE(owned[1].requires_grad());
  shared->matrix(group.multiply(group.generators()[0], group.generators()[1])).sum().backward();
  EXPECT_TRUE(owned[0].grad().defined());
  EXPECT_THROW(LearnedRepresentation(group, LearnedRepresentationImpl::Shared{{owned[0]}}),
               InputError);
}

TEST(LearnedRepresentation, MatricesFollowWordsWithoutInverses) {
  const auto rho = learned("C4", 3);
  const auto& w = rho->generators()[0];
  EXPECT_TRUE(at::equal(rho->matrix(0), at::eye(3)));
  EXPECT_TRUE(at::allclose(rho->matrix(3), at::matrix_power(w, 3)));
  const auto d3 = learned("D3", 4);
  const auto& r = d3->generators()[0];
  const auto& s = d3->generators()[1];
  EXPECT_TRUE(at::allclose(d3->matrix(2), at::matmul(r, r)));
  EXPECT_TRUE(at::allclose(d3->matrix(4), at::matmul(r, s)));
  EXPECT_EQ(d3->named_parameters().size(), 2U);
  EXPECT_TRUE(d3->named_parameters().contains("r"));
  EXPECT_THROW(d3->matrix(6), InputError);
}

TEST(LearnedRepresentation, AnExactOneIsTheRepresentation) {
  const auto group = make_group("S4");
  const auto regular = regular_representation(group);
  const auto rho = exact(group, 1);
  const auto z = at::randn({40, 24}, at::kDouble);
  const auto g = sample_elements(group, 40, RandomKey(1, "test"));
  EXPECT_TRUE(at::equal(rho->apply(g, z), latent_action(regular, 24)(g, z)));
  EXPECT_TRUE(at::equal(rho->action()(g, z), rho->apply(g, z)));
}

TEST(LearnedRepresentation, ActsOnSamplesAndChannelsAsOneMatrixASampleWould) {
  const auto group = make_group("D3");
  LearnedRepresentation rho(group, LearnedRepresentationOptions{.dimension = 5});
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{30, 5}, std::vector<std::int64_t>{30, 5, 3, 2}}) {
    const auto z = torch::randn(shape, torch::requires_grad());
    const auto twin = z.detach().clone().requires_grad_();
    const auto g = sample_elements(group, 30, RandomKey(2, "test"));
    const auto weight = torch::randn(shape);
    (rho->apply(g, z) * weight).sum().backward();
    const auto gradient = rho->generators()[0].grad().clone();
    rho->zero_grad();

    std::vector<at::Tensor> rows;
    for (std::int64_t n = 0; n < 30; ++n) {
      const auto matrix = rho->matrix(static_cast<Element>(g[n].item<std::int64_t>()));
      rows.push_back(at::matmul(matrix, twin[n].reshape({5, -1})).reshape(twin[n].sizes()));
    }
    const auto expected = at::stack(rows);
    EXPECT_TRUE(at::allclose(rho->apply(g, z), expected, 1e-4, 1e-5));
    (expected * weight).sum().backward();
    EXPECT_TRUE(at::allclose(z.grad(), twin.grad(), 1e-4, 1e-4));
    EXPECT_TRUE(at::allclose(gradient, rho->generators()[0].grad(), 1e-3, 1e-3));
    rho->zero_grad();
  }
}

TEST(LearnedRepresentation, RefusesWhatDoesNotFit) {
  const auto group = make_group("D3");
  const auto rho = learned("D3", 4);
  const auto g = at::zeros({2}, at::kLong);
  EXPECT_THROW(rho->apply(g, at::zeros({2, 5})), InputError);
  EXPECT_THROW(rho->apply(g, at::zeros({3, 4})), InputError);
  EXPECT_THROW(rho->apply(at::full({2}, 6, at::kLong), at::zeros({2, 4})), InputError);
  EXPECT_THROW(learned("D3", 0), InputError);
  for (const double noise : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(start_matrix({.dimension = 3, .noise = noise}, 0), InputError) << noise;
  }
  EXPECT_THROW(start_matrix({.dimension = -1, .noise = 0.0}, 0), InputError);
  EXPECT_NO_THROW(start_matrix({.dimension = 1, .noise = 0.0}, 0));
  EXPECT_THROW(LearnedRepresentation(group, std::vector{at::eye(3)}), InputError);
  EXPECT_THROW(LearnedRepresentation(group, std::vector{at::eye(3), at::eye(4)}), InputError);
  EXPECT_THROW(LearnedRepresentation(group, std::vector{at::zeros({3, 4}), at::zeros({3, 4})}),
               InputError);
  const LearnedRepresentation batch(group, std::vector{at::zeros({7, 4, 4}), at::zeros({7, 4, 4})});
  EXPECT_THROW(batch->apply(g, at::zeros({2, 4})), InputError);
  EXPECT_THROW(to_approximate(batch), InputError);
}

TEST(LearnedRepresentation, DivergenceNamesTheGenerator) {
  const auto rho = learned("D3", 4);
  {
    const torch::NoGradGuard no_gradient;
    rho->generators()[1][0][0] = std::nan("");
  }
  for (const auto& attempt :
       std::vector<std::function<void()>>{[&] { check_finite(rho); }, [&] { to_approximate(rho); },
                                          [&] {
                                            LearnedPrior(rho, AlgebraLoss(rho->group()))
                                                .move(at::zeros({1}, at::kLong), at::zeros({1, 4}));
                                          }}) {
    try {
      attempt();
      FAIL() << "not noticed";
    } catch (const DivergedError& error) {
      EXPECT_NE(std::string(error.what()).find("generator s"), std::string::npos) << error.what();
    }
  }
  const auto first = learned("D3", 4);
  const torch::NoGradGuard no_gradient;
  first->generators()[0][3][3] = INFINITY;
  EXPECT_THROW(check_finite(first), DivergedError);
}

TEST(LearnedRepresentation, ItsNearestExactOneServesAsAFixedPrior) {
  const auto group = make_group("D3");
  const auto rho = exact(group, 2);
  {
    const torch::NoGradGuard no_gradient;
    for (auto generator : rho->generators()) generator += 1e-3 * at::randn_like(generator);
  }
  const auto nearest = nearest_representation(to_approximate(rho));
  ASSERT_TRUE(nearest.representation) << nearest.reason;
  EXPECT_LT(homomorphism_defect(*nearest.representation), 1e-9);
  const auto prior = make_fixed_prior(*nearest.representation, 12, 1.0);
  const auto z = at::randn({9, 12}, at::kDouble);
  const auto g = sample_elements(group, 9, RandomKey(5, "test"));
  Terms terms;
  prior.add_terms(terms, {z}, {rho->apply(g, z).detach()}, g);
  EXPECT_LT(terms.find("equivariance")->value.item<double>(), 1e-4);
}

TEST(LearnedPrior, AddsTheTermsOfLOpt) {
  const auto group = make_group("C4");
  const LearnedRepresentation rho(group, LearnedRepresentationOptions{.dimension = 4});
  const AlgebraLoss algebra(group, {.regulariser = Regulariser::inverse});
  const LearnedPrior prior(rho, algebra, {0.25, 2.0, 3.0, 4.0});
  const auto z = at::randn({6, 4});
  const auto zg = at::randn({6, 4});
  const auto g = at::tensor({1, 2, 3, 1, 0, 2}, at::kLong);
  Terms terms;
  const auto moved = prior.move(g, z);
  prior.add_terms(terms, moved, zg, moved.square().mean());
  const auto values = algebra(rho);
  EXPECT_EQ(terms.all().size(), 4U);
  EXPECT_EQ(terms.find("latent_to_output")->weight, 0.25);
  EXPECT_EQ(terms.find("equivariance")->weight, 2.0);
  EXPECT_TRUE(at::allclose(terms.find("equivariance")->value, (moved - zg).square().mean()));
  EXPECT_TRUE(at::equal(terms.find("algebra")->value, values.algebra));
  EXPECT_EQ(terms.find("algebra")->weight, 3.0);
  EXPECT_TRUE(at::equal(terms.find("regulariser")->value, values.regulariser));
  EXPECT_EQ(terms.find("regulariser")->weight, 4.0);
  EXPECT_THROW(prior.add_terms(terms, moved, at::zeros({1, 4})), InputError);
  EXPECT_THROW(LearnedPrior(rho, AlgebraLoss(make_group("C2"))), InputError);
  EXPECT_THROW(LearnedPrior(rho, algebra, {-1.0, 1, 1, 1}), InputError);
}

}  // namespace
}  // namespace algprior
