#include "algprior/analysis/representation_report.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/prior/learned_representation.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/irreps.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

// A random basis that is not orthogonal, condition number below about 10.
Eigen::MatrixXd skewed_basis(std::size_t d) {
  RandomStream random(RandomKey(7, "basis"));
  const auto n = static_cast<Eigen::Index>(d);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index i = 0; i < n * n; ++i) {
    basis.data()[i] += 0.5 * random.normal() / std::sqrt(static_cast<double>(d));
  }
  return basis;
}

// Real representations with the given multiplicities in a skewed basis.
Representation of_multiplicities(const Group& group, const std::vector<std::size_t>& counts) {
  const auto irreps = real_irreducible_representations(character_table(group));
  std::vector<Representation> summands;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) summands.push_back(copies(irreps[i].representation, counts[i]));
  }
  const auto sum = direct_sum(summands);
  return change_of_basis(sum, skewed_basis(sum.dimension()));
}

ApproximateRepresentation with_noise(const ApproximateRepresentation& exact, double size) {
  RandomStream random(RandomKey(11, "noise"));
  auto generators = exact.generators();
  for (auto& matrix : generators) {
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] += size * random.normal();
  }
  return {exact.group(), generators};
}

// ρ(h)z for all h: an equivariant encoder's orbits.
at::Tensor generated_orbits(const ApproximateRepresentation& representation, const at::Tensor& z) {
  return at::einsum("gij,nj->ngi", {element_matrices(representation), z});
}

TEST(RepresentationReport, ReadsOffAnExactRepresentation) {
  const auto group = make_group("D3");
  const auto exact = to_approximate(of_multiplicities(group, {4, 2, 3}));
  const auto z = at::randn({30, 12}, at::kDouble);
  const auto g = sample_elements(group, 30, RandomKey(1, "test"));
  const auto zg = to_learned(exact)->apply(g, z).detach();
  const auto report = report_representation(exact, {z, zg, g, z, generated_orbits(exact, z)});
  const std::vector<double> expected = {4, 2, 3};
  ASSERT_EQ(report.irreducibles.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(report.irreducibles[i].by_classes, expected[i], 1e-9);
    EXPECT_NEAR(report.irreducibles[i].by_elements, expected[i], 1e-9);
    EXPECT_NEAR(report.irreducibles[i].by_eigenvalues, expected[i], 1e-9);
  }
  EXPECT_EQ(report.irreducibles[0].name, "r:1 s:1");
  EXPECT_EQ(report.irreducibles[1].name, "r:1 s:-1");
  EXPECT_EQ(report.irreducibles[2].name, "r:-1 s:0");
  EXPECT_EQ(report.generators[0].counts, (std::vector<std::size_t>{6, 3, 3}));
  EXPECT_TRUE(report.ties.empty());
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.algebra_loss, 1e-24);
  ASSERT_EQ(report.relators.size(), 3U);
  EXPECT_EQ(report.relators[2].relator, "r*s*r*s");
  EXPECT_LT(*report.equivariance_loss, 1e-24);
  EXPECT_LT(*report.equivariance_error, 1e-12);
  EXPECT_EQ(report.copies_of_regular, 1U);
  EXPECT_EQ(report.orbits->independent, 1U);
  EXPECT_EQ(report.orbits->possible, 2U);
  EXPECT_LT(*report.nearest_distance, 1e-9);
  EXPECT_EQ(report.theorem->full_rank, 30U);
  EXPECT_EQ(report.theorem->violations, 0U);
  EXPECT_LT(report.theorem->median_distance, 1e-9);
}

// Trap 24: one trace a class, and the counts add up to d whatever the matrices are.
TEST(RepresentationReport, CountsOfD3AddUpToTheDimension) {
  const auto group = make_group("D3");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const LearnedRepresentation rho(group,
                                    LearnedRepresentationOptions{.dimension = 7, .seed = seed});
    const auto report = report_representation(to_approximate(rho));
    const double r = rho->generators()[0].trace().item<double>();
    const double s = rho->generators()[1].trace().item<double>();
    EXPECT_NEAR(report.irreducibles[0].by_classes, (7 + 3 * s + 2 * r) / 6, 1e-5);
    EXPECT_NEAR(report.irreducibles[1].by_classes, (7 - 3 * s + 2 * r) / 6, 1e-5);
    EXPECT_NEAR(report.irreducibles[2].by_classes, (14 - 2 * r) / 6, 1e-5);
    const double sum = report.irreducibles[0].by_classes + report.irreducibles[1].by_classes +
                       2 * report.irreducibles[2].by_classes;
    EXPECT_NEAR(sum, 7.0, 1e-9);
    EXPECT_FALSE(report.converged);
    EXPECT_FALSE(report.nearest_distance && report.nearest_reason.empty() == false);
  }
}

// Trap 25: orbits come from ρ̂, and rank needs a tolerance above √ALG.
TEST(RepresentationReport, CountsOrbitsAboveTheNoiseOfTheAlgebra) {
  const auto group = make_group("C2");
  const auto z = at::randn({200, 8}, at::kDouble);
  const auto exact = to_approximate(of_multiplicities(group, {5, 3}));
  for (const double noise : {1e-6, 1e-4, 1e-3}) {
    const auto learned = with_noise(exact, noise);
    const auto count = count_independent_orbits(learned, z);
    EXPECT_EQ(count.independent, 3U) << noise;
    EXPECT_EQ(count.possible, 4U);
    // A tolerance of rounding size would call the deficient matrix regular.
    const auto naive = count_independent_orbits(learned, z, {.tolerance = 1e-9});
    EXPECT_EQ(naive.independent, 4U) << noise;
    // What lies at the tolerance does not lie above it.
    const auto strict = count_independent_orbits(learned, z, {.tolerance = naive.ratios[3]});
    EXPECT_EQ(strict.independent, 3U) << noise;
  }
  const auto regular = with_noise(to_approximate(of_multiplicities(group, {4, 4})), 1e-4);
  EXPECT_EQ(count_independent_orbits(regular, z).independent, 4U);
  // Samples in an invariant subspace span less.
  const auto invariant = z + at::matmul(z, element_matrices(exact)[1].t());
  EXPECT_EQ(count_independent_orbits(exact, invariant).independent, 0U);
  EXPECT_EQ(orbit_tolerance(0), 1e-4);
  EXPECT_EQ(orbit_tolerance(1), 3e-2);
  EXPECT_DOUBLE_EQ(orbit_tolerance(1e-6), 3e-3);
}

TEST(TheoremOne, IsTheRestrictionToTheSpanOfTheOrbit) {
  const auto group = make_group("D3");
  const auto rho = with_noise(to_approximate(of_multiplicities(group, {3, 2, 4})), 0.05);
  torch::manual_seed(2);
  const auto orbits = generated_orbits(rho, at::randn({12, 13}, at::kDouble)) +
                      0.1 * at::randn({12, 6, 13}, at::kDouble);
  const auto samples = theorem_one(rho, orbits);
  const auto matrices = element_matrices(rho);
  for (std::int64_t i = 0; i < 12; ++i) {
    const auto m = orbits[i].t();
    const auto inverse = at::linalg_pinv(m);
    double distance = 0, epsilon = 0;
    for (Element g = 0; g < 6; ++g) {
      std::vector<at::Tensor> columns;
      for (Element h = 0; h < 6; ++h) columns.push_back(orbits[i][group.multiply(g, h)]);
      const auto off = at::matmul(matrices[g], m) - at::stack(columns, 1);
      const auto operator_norm = at::linalg_svdvals(at::matmul(off, inverse))[0];
      distance = std::max(distance, operator_norm.item<double>());
      epsilon = std::max(epsilon, off.norm(2, 0).max().item<double>());
    }
    const auto& sample = samples[static_cast<std::size_t>(i)];
    EXPECT_NEAR(sample.distance, distance, 1e-9 * distance);
    EXPECT_NEAR(sample.epsilon, epsilon, 1e-12);
    EXPECT_NEAR(sample.sigma_min, at::linalg_svdvals(m)[5].item<double>(), 1e-12);
    EXPECT_GT(sample.distance, 0.01);
    EXPECT_LE(sample.distance, sample.bound);
  }
  EXPECT_EQ(summarize(samples).violations, 0U);
  const auto csv = to_csv(samples);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "sample,epsilon,sigma_min,distance,bound");
}

TEST(TheoremOne, HasNoBoundForADeficientOrbit) {
  const auto group = make_group("D3");
  const auto rho = to_approximate(regular_representation(group));
  const auto samples = theorem_one(rho, at::ones({2, 6, 6}, at::kDouble));
  EXPECT_EQ(samples[0].sigma_min, 0.0);
  EXPECT_TRUE(std::isinf(samples[0].bound));
  EXPECT_EQ(summarize(samples).full_rank, 0U);
  const auto narrow = to_approximate(of_multiplicities(group, {1, 1, 1}));
  EXPECT_TRUE(std::isinf(theorem_one(narrow, at::randn({1, 6, 4}, at::kDouble))[0].distance));
}

TEST(EncodeOrbits, EncodesEveryTransform) {
  const auto group = make_group("C4");
  const auto action = planar_action(group);
  const auto x = at::rand({7, 1, 4, 4});
  const auto weight = at::randn({16, 5});
  const auto encoder = [&](const at::Tensor& images) {
    return at::matmul(images.flatten(1), weight);
  };
  const auto orbits = encode_orbits(encoder, action, x, 3);
  ASSERT_EQ(orbits.sizes(), (std::vector<std::int64_t>{7, 4, 5}));
  for (Element h = 0; h < 4; ++h) {
    EXPECT_TRUE(at::allclose(orbits.select(1, h), encoder(action(h, x))));
  }
  const auto grid = [](const at::Tensor& images) { return images.repeat({1, 2, 1, 1}); };
  EXPECT_TRUE(
      at::allclose(encode_orbits(grid, action, x).select(1, 0).select(1, 1), x.flatten(1).mean(1)));
  EXPECT_THROW(encode_orbits(
                   [](const at::Tensor&) {
                     return at::zeros({1, 2});
                   },
                   action, x),
               InputError);
}

TEST(RepresentationReport, TakesGridsByChannels) {
  const auto group = make_group("C2");
  const auto exact = to_approximate(of_multiplicities(group, {2, 2}));
  const auto z = at::randn({20, 4, 3, 3}, at::kDouble);
  const auto g = sample_elements(group, 20, RandomKey(1, "test"));
  const auto zg = to_learned(exact)->apply(g, z).detach();
  const auto report = report_representation(exact, {z, zg, g, z, {}});
  EXPECT_LT(*report.equivariance_loss, 1e-24);
  EXPECT_EQ(report.orbits->independent, 2U);
}

TEST(RepresentationReport, NamesSingularMatricesAndTies) {
  const auto group = make_group("C2");
  Eigen::MatrixXd w(3, 3);
  w << 1, 0, 0, 0, 0, 0, 0, 0, -1;
  const auto report = report_representation({group, {w}});
  EXPECT_TRUE(report.generators[0].singular);
  EXPECT_FALSE(report.converged);
  ASSERT_FALSE(report.ties.empty());
  EXPECT_FALSE(report.nearest_distance);
  EXPECT_NE(report.nearest_reason, "");
  const auto text = to_text(report);
  EXPECT_NE(text.find("NOT CONVERGED"), std::string::npos);
  EXPECT_NE(text.find("(singular)"), std::string::npos);
}

TEST(RepresentationReport, GoesOutAsJsonAndNumbers) {
  const auto group = make_group("C4");
  const auto rho = with_noise(to_approximate(of_multiplicities(group, {2, 2, 2})), 1e-5);
  const auto z = at::randn({30, 8}, at::kDouble);
  const auto report = report_representation(rho, {{}, {}, {}, z, generated_orbits(rho, z)});
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["group"], "C4");
  EXPECT_EQ(json["irreducibles"].size(), 4U);
  EXPECT_EQ(json["irreducibles"][1]["name"], "r:i");
  EXPECT_EQ(json["generators"][0]["counts"], (std::vector<int>{2, 2, 2, 2}));
  EXPECT_EQ(json["orbits"]["independent"], 2);
  EXPECT_TRUE(json["equivariance_loss"].is_null());
  const auto metrics = to_metrics(report);
  EXPECT_NEAR(metrics.at("multiplicity/r:-1"), 2.0, 1e-3);
  EXPECT_EQ(metrics.at("eigenvalues/r/1"), 2.0);
  EXPECT_EQ(metrics.at("independent_orbits"), 2.0);
  EXPECT_EQ(metrics.at("converged"), 1.0);
  EXPECT_FALSE(metrics.contains("equivariance_loss"));
}

TEST(RepresentationReport, SaysAllInText) {
  const auto group = make_group("C2");
  const auto rho = to_approximate(of_multiplicities(group, {2, 1}));
  const auto z = at::randn({9, 3}, at::kDouble), g = at::arange(9) % 2;
  const auto text = to_text(report_representation(
      rho, {z, to_learned(rho)->apply(g, z).detach(), g, z, generated_orbits(rho, z)}));
  for (const char* words : {"learned representation of C2 (order 2) on 3 dimensions\n\n", "r:1",
                            "2.000", "\nalgebra loss ", ": r^2 ", "r: singular values ",
                            "eigenvalues near the roots of unity 2 1", "equivariance loss ",
                            "copies of the regular representation: 1\n",
                            "independent embedded orbits: 1 of 1 (tolerance ",
                            "nearest exact representation at distance",
                            "Theorem 1 on 9 samples (9 of full rank)", "0 violations\n"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
  }
  EXPECT_EQ(text.find("lie between"), std::string::npos);
}

// Of an even number the upper of the two in the middle.
TEST(TheoremOne, IsSummedUpByMedians) {
  std::vector<TheoremOneSample> samples;
  for (int i = 0; i < 4; ++i) samples.push_back({0.1, 1.0 + i, 0.5 * i, 1.0});
  samples.push_back({0.1, 0.0, INFINITY, INFINITY});
  const auto summary = summarize(samples);
  EXPECT_EQ(summary.samples, 5u);
  EXPECT_EQ(summary.full_rank, 4u);
  EXPECT_EQ(summary.violations, 1u);  // 1.5 above 1; 1 at 1 is none
  EXPECT_DOUBLE_EQ(summary.median_sigma_min, 2.0);
  EXPECT_DOUBLE_EQ(summary.median_distance, 1.0);
  EXPECT_DOUBLE_EQ(summary.median_bound, 1.0);
  EXPECT_DOUBLE_EQ(summary.largest_ratio, 1.5);
  EXPECT_TRUE(std::isnan(summarize({}).median_bound));
  // Rounding is no violation, and has no ratio.
  EXPECT_EQ(summarize({{0, 1, 9e-10, 1e-10}}).violations, 0u);
  EXPECT_EQ(summarize({{0, 1, 9e-10, 1e-10}}).largest_ratio, 0.0);
}

TEST(RepresentationReport, RefusesShapesThatDoNotFit) {
  const auto group = make_group("C2");
  const auto rho = to_approximate(of_multiplicities(group, {2, 2}));
  const auto z = at::zeros({5, 4}), g = at::zeros({5}, at::kLong);
  EXPECT_THROW(report_representation(rho, {z, {}, g, {}, {}}), InputError);
  EXPECT_THROW(report_representation(rho, {z, at::zeros({5, 3}), g, {}, {}}), InputError);
  EXPECT_THROW(report_representation(rho, {{}, {}, {}, at::zeros({5, 3}), {}}), InputError);
  EXPECT_THROW(report_representation(rho, {{}, {}, {}, at::zeros({1, 4}), {}}), InputError);
  EXPECT_THROW(report_representation(rho, {{}, {}, {}, {}, at::zeros({5, 3, 4})}), InputError);
  const auto table = character_table(group);
  EXPECT_THROW(copies_of_regular(table, {1.0}), InputError);
  EXPECT_EQ(copies_of_regular(table, {1.0, 3.0}), 1U);
  EXPECT_EQ(copies_of_regular(table, {3.0, 0.9}), 1U);  // rounded
  EXPECT_EQ(copies_of_regular(table, {3.0, -0.9}), 0U);
  EXPECT_EQ(copies_of_regular(character_table(make_group("D3")), {2.0, 2.0, 3.0}), 1U);
}

}  // namespace
}  // namespace algprior
