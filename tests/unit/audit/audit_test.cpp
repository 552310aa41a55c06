// Planted truths: encoders whose representation, noise and defects are known.
#include "algprior/audit/audit.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "planted.hpp"

#include <string>

#include <gtest/gtest.h>

namespace algprior {
namespace {

AuditOptions quick_options() {
  AuditOptions options;
  options.bootstrap = 200;
  options.theorem_samples = 10;
  options.probe_samples = 100;
  return options;
}

bool has_remark(const AuditReport& report, const std::string& part) {
  for (const std::string& remark : report.remarks) {
    if (remark.find(part) != std::string::npos) return true;
  }
  return false;
}

/// √(dε²/(d + dε²)) for an orthogonal ρ on standard normal vectors: both sides carry the noise.
double expected_error(double noise) {
  return noise / std::sqrt(1 + noise * noise);
}

TEST(Audit, MultiplicitiesOfPlantedRepresentations) {
  for (const char* name : {"C4", "D3", "D4", "Q8", "S4", "C2xC2", "O"}) {
    SCOPED_TRACE(name);
    const Group group = make_group(name);
    std::vector<std::size_t> counts;
    const Representation planted = mixed_representation(group, counts);
    const std::size_t d = planted.dimension();
    RandomStream random(RandomKey(3, name));
    // Neither orthogonal nor square: two coordinates more than ρ has.
    Eigen::MatrixXd basis = random_orthogonal(random, d + 2).leftCols(static_cast<Eigen::Index>(d));
    for (Eigen::Index k = 0; k < basis.cols(); ++k) basis.col(k) *= 1 + 0.5 * random.uniform();
    for (const double noise : {0.0, 0.1}) {
      SCOPED_TRACE(noise);
      const Planted data = plant(planted, basis, 4 * d + 40, noise, 11);
      const AuditReport report = audit(data.orbits(), group, quick_options());
      EXPECT_EQ(report.verdict, Verdict::kSome);
      EXPECT_EQ(report.effective_rank, noise == 0 ? d : d + 2);
      EXPECT_EQ(report.fitted.rank, d);
      ASSERT_EQ(report.fitted.multiplicities.size(), counts.size()) << report.fitted.reason;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const FittedMultiplicity& one = report.fitted.multiplicities[i];
        EXPECT_NEAR(one.value.value, static_cast<double>(counts[i]), noise == 0 ? 1e-6 : 0.3) << i;
        EXPECT_EQ(one.exact, counts[i]) << i;
        EXPECT_LE(one.value.low, one.value.value);
        EXPECT_GE(one.value.high, one.value.value);
      }
      ASSERT_TRUE(report.errors.fitted);
      if (noise == 0) {
        EXPECT_LT(report.errors.fitted->value, 1e-6);
        EXPECT_LT(*report.fitted.homomorphism_defect, 1e-6);
        EXPECT_LT(*report.fitted.distance_to_exact, 1e-6);
      } else {
        EXPECT_LT(report.errors.fitted->value, 0.3);
        EXPECT_GT(report.errors.fitted->value, 0.05);
      }
      EXPECT_GT(report.errors.shuffled->value, 0.7);
    }
  }
}

TEST(Audit, ErrorOfTheRegularRepresentationIsNearTheTruth) {
  const Group group = make_group("D4");
  const Representation regular = copies(regular_representation(group), 2);
  const double noise = 0.15;
  // Two copies and a fixed coordinate.
  const Representation padded = direct_sum({regular, trivial_representation(group)});
  const Planted data = plant(padded, Eigen::MatrixXd::Identity(17, 17), 400, noise, 5);
  const AuditReport report = audit(data.orbits(), group, quick_options());
  EXPECT_EQ(report.verdict, Verdict::kGiven);
  EXPECT_EQ(report.audited, "regular");
  ASSERT_TRUE(report.errors.regular);
  // One interval in twenty misses the truth (coverage_test.cpp counts them); its whole width is
  // about four standard errors.
  const double width = report.errors.regular->high - report.errors.regular->low;
  EXPECT_NEAR(report.errors.regular->value, expected_error(noise), width);
  EXPECT_LT(report.errors.regular->high - report.errors.regular->low, 0.02);
  EXPECT_EQ(report.fitted.regular_copies, 2u);
  EXPECT_EQ(report.room.invariants, 3u);
  EXPECT_GT(report.errors.invariance->value, 0.8);
  // Theorem 1 is a theorem.
  ASSERT_TRUE(report.theorem);
  EXPECT_GT(report.theorem->samples, 0u);
  EXPECT_EQ(report.theorem->held, report.theorem->samples);
  EXPECT_LE(*report.theorem->distance, *report.theorem->bound);
  EXPECT_GT(*report.theorem->distance, 0);
  EXPECT_GT(report.probes->local, 0.99);
}

TEST(Audit, GivenRepresentationAndPadding) {
  const Group group = make_group("D3");
  const Representation defining = defining_representation(group);
  const Representation twice = direct_sum({copies(defining, 2), trivial_representation(group)});
  const Planted data = plant(twice, Eigen::MatrixXd::Identity(7, 7), 60, 0.0, 8);
  AuditOptions options = quick_options();
  options.representation = defining;
  const AuditReport report = audit(data.orbits(), group, options);
  EXPECT_EQ(report.verdict, Verdict::kGiven);
  EXPECT_EQ(report.audited, "given");
  EXPECT_LT(report.errors.given->value, 1e-12);
  EXPECT_EQ(report.room.invariants, 3u);
  // The same space in the regular representation's coordinates is not it.
  EXPECT_GT(report.errors.regular->value, 0.3);
  // Wider than the embedding: does not apply, and is not 0.
  options.representation = copies(defining, 3);
  EXPECT_FALSE(audit(data.orbits(), group, options).errors.given);
}

TEST(Audit, ConstantAndNearlyConstantEncodersHaveCollapsed) {
  const Group group = make_group("C4");
  Planted data = plant_noise(50, 4, 6, 1);
  Planted noisy = data;
  for (double& value : data.z) value = 0.5;
  for (double& value : noisy.z) value = 2 + 1e-4 * value;
  for (const Planted* planted : {&data, &noisy}) {
    const AuditReport report = audit(planted->orbits(), group, quick_options());
    EXPECT_EQ(report.verdict, Verdict::kCollapsed);
    EXPECT_FALSE(report.errors.invariance);
    EXPECT_FALSE(report.errors.regular);
    EXPECT_FALSE(report.errors.fitted);
    EXPECT_NE(to_text(report).find("Collapsed"), std::string::npos);
  }
}

TEST(Audit, InvariantEncoder) {
  const Group group = make_group("Q8");
  const Representation trivial = trivial_representation(group, 10);
  const Planted exact = plant(trivial, Eigen::MatrixXd::Identity(10, 10), 80, 0.0, 4);
  const AuditReport report = audit(exact.orbits(), group, quick_options());
  EXPECT_EQ(report.verdict, Verdict::kInvariant);
  EXPECT_EQ(report.errors.invariance->value, 0);
  EXPECT_EQ(report.room.invariants, 10u);
  EXPECT_TRUE(has_remark(report, "transformed at all"));
  EXPECT_NEAR(report.probes->local, 1.0 / 8, 1e-12);
  EXPECT_NEAR(*report.probes->global, 1.0 / 8, 0.05);
  EXPECT_TRUE(has_remark(report, "Theorem 1 does not apply"));
  const Planted noisy = plant(trivial, Eigen::MatrixXd::Identity(10, 10), 80, 0.1, 4);
  const AuditReport rough = audit(noisy.orbits(), group, quick_options());
  EXPECT_EQ(rough.verdict, Verdict::kInvariant);
  EXPECT_NEAR(rough.errors.invariance->value, expected_error(0.1), 0.01);
}

TEST(Audit, AlmostInvariantButExactlyRegularIsEquivariant) {
  // Samples differ much more than the points of an orbit do.
  const Group group = make_group("C4");
  Planted data = plant(regular_representation(group), Eigen::MatrixXd::Identity(4, 4), 100, 0, 2);
  for (std::size_t n = 0; n < 100; ++n) {
    for (std::size_t g = 0; g < 4; ++g) {
      for (std::size_t k = 0; k < 4; ++k) {
        data.at(n, g, k) = 0.1 * data.at(n, g, k) + static_cast<double>(n) / 50;
      }
    }
  }
  const AuditReport report = audit(data.orbits(), group, quick_options());
  EXPECT_LT(report.errors.invariance->value, 0.3);
  EXPECT_EQ(report.verdict, Verdict::kGiven);
}

TEST(Audit, NoiseAndTheWrongGroupAreNoSymmetry) {
  const Group group = make_group("D4");
  const Planted noise = plant_noise(300, 8, 16, 9);
  const AuditReport report = audit(noise.orbits(), group, quick_options());
  EXPECT_EQ(report.verdict, Verdict::kNone);
  EXPECT_NEAR(report.errors.invariance->value, 1, 0.03);
  EXPECT_NEAR(report.errors.regular->value, 1, 0.03);
  EXPECT_GT(report.errors.fitted->value, 0.69);
  EXPECT_NEAR(report.errors.fitted->value, report.errors.shuffled->value, 0.05);
  EXPECT_EQ(report.fitted.rank, 0u);
  // Orbits of Q8 under the table of D4.
  const Group other = make_group("Q8");
  const Planted wrong =
      plant(copies(regular_representation(other), 2), Eigen::MatrixXd::Identity(16, 16), 300, 0, 6);
  const AuditReport judged = audit(wrong.orbits(), group, quick_options());
  EXPECT_EQ(judged.verdict, Verdict::kNone) << to_text(judged);
}

TEST(Audit, LargeMeanDoesNotHideTheError) {
  const Group group = make_group("C4");
  Planted data = plant_noise(200, 4, 8, 12);
  for (double& value : data.z) value = std::abs(value) + 30;
  const AuditReport report = audit(data.orbits(), group, quick_options());
  EXPECT_EQ(report.verdict, Verdict::kNone);
  EXPECT_NEAR(report.errors.invariance->value, 1, 0.05);
  EXPECT_TRUE(has_remark(report, "never negative") || has_remark(report, "ever negative"));
}

TEST(Audit, MoreElementsThanCoordinatesAndFewSamples) {
  const Group group = make_group("S4");
  std::vector<std::size_t> counts;
  const auto irreps = real_irreducible_representations(character_table(group));
  const Representation small = irreps.back().representation;
  RandomStream random(RandomKey(1, "small"));
  const Planted data = plant(small, random_orthogonal(random, 3), 60, 0, 3);
  const AuditReport report = audit(data.orbits(), group, quick_options());
  EXPECT_EQ(report.verdict, Verdict::kSome);
  EXPECT_FALSE(report.errors.regular);
  EXPECT_TRUE(has_remark(report, "needs 24 coordinates"));
  EXPECT_EQ(report.theorem->samples, 0u);
  // N ≤ d: a fit would be exact.
  const Planted few = plant_noise(12, 24, 16, 3);
  const AuditReport refused = audit(few.orbits(), group, quick_options());
  EXPECT_FALSE(refused.errors.fitted);
  EXPECT_TRUE(refused.fitted.multiplicities.empty());
  EXPECT_TRUE(has_remark(refused, "says nothing"));
  EXPECT_EQ(refused.verdict, Verdict::kNone);
  EXPECT_NE(to_json(refused).find("\"fitted\": null"), std::string::npos);
}

TEST(Audit, RankDeficientOrbits) {
  const Group group = make_group("D4");
  // Sums of two irreducible representations in eight coordinates: no orbit has rank 8.
  const auto irreps = real_irreducible_representations(character_table(group));
  const Representation part = direct_sum({irreps[0].representation, irreps.back().representation});
  RandomStream random(RandomKey(7, "deficient"));
  const Eigen::MatrixXd basis = random_orthogonal(random, 8).leftCols(3);
  const AuditReport report = audit(plant(part, basis, 80, 0, 3).orbits(), group, quick_options());
  EXPECT_EQ(report.effective_rank, 3u);
  EXPECT_EQ(report.verdict, Verdict::kSome);
  EXPECT_EQ(report.theorem->samples, 0u);
  EXPECT_FALSE(report.theorem->distance);
  EXPECT_EQ(report.fitted.regular_copies, 0u);
  EXPECT_EQ(report.room.invariants, 1u);
}

TEST(Audit, OneOutlierIsNamed) {
  const Group group = make_group("C4");
  Planted data = plant(copies(regular_representation(group), 2), Eigen::MatrixXd::Identity(8, 8),
                       200, 0.05, 14);
  for (std::size_t g = 0; g < 4; ++g) data.at(77, g, g) += 400;
  data.at(77, 2, 5) += 400;
  AuditOptions options = quick_options();
  options.representation = regular_representation(group);
  const AuditReport report = audit(data.orbits(), group, options);
  EXPECT_TRUE(has_remark(report, "sample 77 alone"));
  ASSERT_FALSE(report.worst.empty());
  EXPECT_EQ(report.worst.front().sample, 77u);
}

TEST(Audit, SameSeedSameReport) {
  const Group group = make_group("D3");
  const Planted data = plant_noise(60, 6, 7, 2);
  AuditOptions options = quick_options();
  const std::string first = to_json(audit(data.orbits(), group, options));
  EXPECT_EQ(first, to_json(audit(data.orbits(), group, options)));
  options.seed = 1;
  EXPECT_NE(first, to_json(audit(data.orbits(), group, options)));
}

TEST(Audit, SinglePrecisionAgreesWithDouble) {
  const Group group = make_group("D4");
  const Planted data =
      plant(regular_representation(group), Eigen::MatrixXd::Identity(8, 8), 100, 0.2, 21);
  const std::vector<float> narrow(data.z.begin(), data.z.end());
  const OrbitEmbeddings orbits{std::span<const float>(narrow), 100, 8, 8};
  const AuditReport a = audit(data.orbits(), group, quick_options());
  const AuditReport b = audit(orbits, group, quick_options());
  EXPECT_NEAR(a.errors.regular->value, b.errors.regular->value, 1e-6);
  EXPECT_NEAR(a.errors.fitted->value, b.errors.fitted->value, 1e-6);
  EXPECT_EQ(a.verdict, b.verdict);
}

TEST(Audit, BadInputIsRefusedInWords) {
  const Group group = make_group("D4");
  Planted data = plant_noise(20, 8, 3, 2);
  const auto message = [&](const OrbitEmbeddings& orbits) {
    try {
      audit(orbits, group, quick_options());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  OrbitEmbeddings other = data.orbits();
  other.order = 4;
  EXPECT_NE(message(other).find("N x 8 x d"), std::string::npos) << message(other);
  other = data.orbits();
  other.samples = 21;
  EXPECT_NE(message(other).find("480 numbers"), std::string::npos) << message(other);
  const Planted one = plant_noise(1, 8, 3, 2);
  EXPECT_NE(message(one.orbits()).find("too few samples"), std::string::npos);
  data.at(7, 3, 1) = std::nan("");
  EXPECT_NE(message(data.orbits()).find("z[7, 3, 1]"), std::string::npos);
  EXPECT_THROW(audit(plant_noise(5, 1, 3, 2).orbits(), make_group("C1"), {}), InputError);
}

}  // namespace
}  // namespace algprior
