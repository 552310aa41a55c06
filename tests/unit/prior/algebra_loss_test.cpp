#include "algprior/prior/algebra_loss.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

at::Tensor matrix_from(const nlohmann::json& values, std::int64_t d) {
  return at::tensor(values.get<std::vector<double>>(), at::kDouble).reshape({d, d});
}

void expect_entry(const nlohmann::json& entry, const at::Tensor& value, LearnedRepresentation rho) {
  EXPECT_NEAR(value.item<double>(), entry["value"].get<double>(),
              1e-11 * std::abs(entry["value"].get<double>()));
  rho->zero_grad();
  value.backward({}, true);
  for (std::size_t k = 0; k < rho->generators().size(); ++k) {
    const auto expected = matrix_from(entry["gradients"][k], rho->dimension());
    const auto gradient = rho->generators()[k].grad();
    const auto found = gradient.defined() ? gradient : at::zeros_like(expected);
    const double scale = 1.0 + expected.abs().max().item<double>();
    EXPECT_LT((found - expected).abs().max().item<double>(), 1e-10 * scale);
  }
}

TEST(AlgebraLoss, AgreesWithPythonInValuesAndGradients) {
  std::ifstream file(std::string(ALGPRIOR_TEST_DATA) + "/learned.json");
  const auto records = nlohmann::json::parse(file)["records"];
  ASSERT_EQ(records.size(), 3U);
  for (const auto& record : records) {
    const auto group = make_group(record["group"].get<std::string>());
    std::vector<at::Tensor> matrices;
    for (const auto& values : record["matrices"]) {
      matrices.push_back(matrix_from(values, record["dimension"].get<std::int64_t>()));
    }
    const LearnedRepresentation rho(group, matrices);
    const auto regulariser =
        matrices.size() == 1 ? Regulariser::inverse : Regulariser::damped_commutation;
    const auto loss = AlgebraLoss(group, {.regulariser = regulariser});
    const auto values = loss(rho);
    ASSERT_EQ(values.relators.size(), record["relators"].size());
    double sum = 0;
    for (std::size_t i = 0; i < values.relators.size(); ++i) {
      const auto name = to_string(loss.presentation().relators[i], loss.presentation().generators);
      SCOPED_TRACE(group.name() + " " + name);
      ASSERT_TRUE(record["relators"].contains(name));
      expect_entry(record["relators"][name], values.relators[i], rho);
      sum += values.relators[i].item<double>();
    }
    EXPECT_NEAR(values.algebra.item<double>(), sum, 1e-12 * sum);
    expect_entry(record["regulariser"], values.regulariser, rho);
  }
}

// The gradient of every parameter against central differences.
double worst_gradient(const AlgebraLoss& loss, const LearnedRepresentation& rho) {
  const auto value = [&] {
    const auto values = loss(rho);
    return values.regulariser.defined() ? values.algebra + values.regulariser : values.algebra;
  };
  value().backward();
  double worst = 0, largest = 0;
  constexpr double kStep = 1e-5;
  for (const auto& generator : rho->generators()) {
    const auto gradient = generator.grad().clone().reshape({-1});
    const torch::NoGradGuard no_gradient;
    auto flat = generator.view({-1});
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
      const double before = flat[i].item<double>();
      flat[i] = before + kStep;
      const double above = value().item<double>();
      flat[i] = before - kStep;
      const double below = value().item<double>();
      flat[i] = before;
      const double quotient = (above - below) / (2 * kStep);
      worst = std::max(worst, std::abs(quotient - gradient[i].item<double>()));
      largest = std::max(largest, std::abs(quotient));
    }
  }
  return worst / largest;
}

TEST(AlgebraLoss, GradientsGoThroughPowersAndSolves) {
  const auto near_identity = [](const Group& group) {
    std::vector<at::Tensor> matrices;
    torch::manual_seed(5);
    for (std::size_t k = 0; k < group.generators().size(); ++k) {
      matrices.push_back(at::eye(4, at::kDouble) + 0.3 * at::randn({4, 4}, at::kDouble));
    }
    return LearnedRepresentation(group, matrices);
  };
  const auto c4 = make_group("C4");
  EXPECT_LT(
      worst_gradient(AlgebraLoss(c4, {.regulariser = Regulariser::inverse}), near_identity(c4)),
      1e-6);
  const auto d3 = make_group("D3");
  EXPECT_LT(worst_gradient(AlgebraLoss(d3, {.weights = {0.5, 0.25, 3.0},
                                            .regulariser = Regulariser::damped_commutation}),
                           near_identity(d3)),
            1e-6);
  // Relators with inverse letters invert matrices.
  const auto heisenberg = make_group("<a,b | a^3, b^3, (a*b)^3, (a*b^-1)^3>");
  EXPECT_EQ(heisenberg.order(), 27U);
  EXPECT_LT(worst_gradient(AlgebraLoss(heisenberg), near_identity(heisenberg)), 1e-6);
}

TEST(AlgebraLoss, IsZeroExactlyForRepresentations) {
  for (const auto* name : {"C2", "C5", "D3", "Q8", "A4", "D4xC2"}) {
    const auto group = make_group(name);
    const auto rho = to_learned(to_approximate(regular_representation(group)));
    for (const auto kind : {Regulariser::none, Regulariser::inverse}) {
      const auto values = AlgebraLoss(group, {.regulariser = kind})(rho);
      EXPECT_LT(values.algebra.item<double>(), 1e-25) << name;
      if (kind != Regulariser::none) {
        EXPECT_LT(values.regulariser.item<double>(), 1e-25) << name;
      }
    }
    const auto learned = LearnedRepresentation(group, LearnedRepresentationOptions{.dimension = 4});
    EXPECT_GT(AlgebraLoss(group)(learned).algebra.item<double>(), 0.1) << name;
  }
}

TEST(AlgebraLoss, WeighsRelatorsAndTakesAnyPresentation) {
  const auto group = make_group("D3");
  const auto rho = LearnedRepresentation(group, LearnedRepresentationOptions{.dimension = 5});
  const auto plain = AlgebraLoss(group)(rho);
  // The paper's D3 row: 1, 1 and 1 − 0.995 of the terms.
  const auto damped = AlgebraLoss(group, {.regulariser = Regulariser::damped_commutation})(rho);
  const auto expected = plain.relators[0] + plain.relators[1] + 0.005 * plain.relators[2];
  EXPECT_TRUE(at::allclose(damped.algebra + damped.regulariser, expected, 1e-2));
  // The published code's: its own weights and the cyclic order srsr. Names, not places, decide.
  const AlgebraLoss published(group, parse_presentation("<s,r | r^3, s^2, (s*r)^2>"),
                              {.weights = {0.25, 0.25, 0.05}});
  const auto other = published(rho);
  EXPECT_TRUE(at::equal(other.relators[0], plain.relators[0]));
  EXPECT_TRUE(at::equal(other.relators[1], plain.relators[1]));
  const auto srsr = at::matrix_power(at::matmul(rho->generators()[1], rho->generators()[0]), 2);
  EXPECT_TRUE(at::allclose(other.relators[2], (srsr - at::eye(5)).square().mean()));
  EXPECT_TRUE(at::allclose(other.algebra, 0.25 * other.relators[0] + 0.25 * other.relators[1] +
                                              0.05 * other.relators[2]));
  const AlgebraLoss renamed(group, parse_presentation("<a,b | a^3, b^2, (a*b)^2>"));
  EXPECT_TRUE(at::equal(renamed(rho).algebra, plain.algebra));
}

void expect_refused(const std::function<void()>& attempt, const std::string& words) {
  try {
    attempt();
    FAIL() << "accepted: " << words;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(AlgebraLoss, RefusesAPresentationOfAnotherGroup) {
  const auto group = make_group("D3");
  const auto with = [&](const char* text) {
    return [&group, text] { AlgebraLoss(group, parse_presentation(text)); };
  };
  expect_refused(with("<r,s | r^4, s^2, (r*s)^2>"), "relator r^4");
  expect_refused(with("<r,s | r^6, s^2, (r*s)^2>"), "order 12");
  expect_refused(with("<r | r^6>"), "1 generators");
  EXPECT_THROW(with("<r,s | r^3, s^2>")(), LimitError);  // infinite
  expect_refused([&] { AlgebraLoss(group, {.weights = {1, 2}}); }, "2 weights");
  expect_refused([&] { AlgebraLoss(group, {.weights = {1, 2, std::nan("")}}); }, "weights");
  expect_refused(
      [] { AlgebraLoss(make_group("C4"), {.regulariser = Regulariser::damped_commutation}); },
      "commutation");
  expect_refused(
      [&] {
        AlgebraLoss loss(group);
        loss(LearnedRepresentation(make_group("C6"), LearnedRepresentationOptions{}));
      },
      "same group value");
}

// Trap 23: the inverse can meet a singular matrix.
TEST(AlgebraLoss, ASingularMatrixIsNamedAndDisturbsNoOther) {
  const auto group = make_group("C2");
  const AlgebraLoss loss(group, {.regulariser = Regulariser::inverse});
  const LearnedRepresentation singular(group, std::vector{at::ones({3, 3})});
  try {
    loss(singular);
    FAIL() << "not noticed";
  } catch (const DivergedError& error) {
    EXPECT_NE(std::string(error.what()).find("generator r"), std::string::npos);
  }
  const auto good = at::eye(3) + 0.1 * at::ones({3, 3});
  const LearnedRepresentation batch(group, std::vector{at::stack({at::zeros({3, 3}), good})});
  const auto values = loss(batch);
  EXPECT_FALSE(std::isfinite(values.regulariser[0].item<double>()));
  const LearnedRepresentation alone(group, std::vector{good});
  EXPECT_TRUE(at::allclose(values.regulariser[1], loss(alone).regulariser));
  (values.algebra + values.regulariser).sum().backward();
  loss(alone).algebra.backward();
  EXPECT_TRUE(at::isfinite(batch->generators()[0].grad()[1]).all().item<bool>());
}

TEST(AlgebraLoss, ABatchIsItsMembers) {
  const auto group = make_group("D3");
  std::vector<at::Tensor> r, s;
  std::vector<double> single;
  const AlgebraLoss loss(group, {.regulariser = Regulariser::inverse});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const LearnedRepresentation rho(group,
                                    LearnedRepresentationOptions{.dimension = 4, .seed = seed});
    r.push_back(rho->generators()[0].detach());
    s.push_back(rho->generators()[1].detach());
    const auto values = loss(rho);
    single.push_back((values.algebra + values.regulariser).item<double>());
  }
  const auto values = loss(LearnedRepresentation(group, std::vector{at::stack(r), at::stack(s)}));
  for (std::int64_t i = 0; i < 5; ++i) {
    EXPECT_NEAR((values.algebra + values.regulariser)[i].item<double>(),
                single[static_cast<std::size_t>(i)], 1e-3 * single[static_cast<std::size_t>(i)]);
  }
}

// Trap 22: with N(0,1) matrices the algebra terms dominate the total loss at first.
TEST(AlgebraLoss, StartsNearPowersOfTheDimension) {
  const auto group = make_group("D3");
  const AlgebraLoss loss(group);
  double cube = 0, commutation = 0;
  constexpr int kSeeds = 40;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto values = loss(
        LearnedRepresentation(group, LearnedRepresentationOptions{.dimension = 18, .seed = seed}));
    cube += values.relators[0].item<double>() / kSeeds;
    commutation += values.relators[2].item<double>() / kSeeds;
  }
  EXPECT_NEAR(cube, 18.0 * 18.0, 0.2 * 324);
  EXPECT_NEAR(commutation, 18.0 * 18.0 * 18.0, 0.2 * 5832);
}

}  // namespace
}  // namespace algprior
