// What an audit tells beside the verdict: parts, differences between encoders, its JSON.
#include "algprior/audit/audit_subject.hpp"
#include "algprior/audit/orbit_theorem.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/array.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

AuditOptions part_options() {
  AuditOptions options;
  options.bootstrap = 200;
  options.theorem_samples = 10;
  options.probe_samples = 50;
  return options;
}

AuditSubject to_subject(const Planted& data, const std::string& name) {
  io::NamedArrays arrays;
  arrays["z"] = io::make_array(
      {static_cast<std::int64_t>(data.samples), static_cast<std::int64_t>(data.order),
       static_cast<std::int64_t>(data.dimension)},
      data.z);
  return {AuditFile::from_arrays(std::move(arrays), name), name};
}

Planted plant_regular(const Group& group, std::size_t samples, double noise, std::uint64_t seed) {
  const Representation regular = copies(regular_representation(group), 2);
  const auto d = static_cast<Eigen::Index>(regular.dimension());
  return plant(regular, Eigen::MatrixXd::Identity(d, d), samples, noise, seed);
}

// Noise in one irreducible part shows there and nowhere else.
TEST(AuditParts, ErrorsByIrreduciblePart) {
  const Group group = make_group("C4");
  Planted data = plant_regular(group, 200, 0.0, 5);
  RandomStream random(RandomKey(1, "trivial noise"));
  for (std::size_t n = 0; n < data.samples; ++n) {
    for (std::size_t g = 0; g < 4; ++g) {
      // Along (1, 1, 1, 1) of the first copy: the trivial part.
      const double noise = 0.4 * random.normal();
      for (std::size_t k = 0; k < 4; ++k) data.at(n, g, k) += noise;
    }
  }
  const AuditReport report = audit(data.orbits(), group, part_options());
  ASSERT_EQ(report.audited, "regular");
  ASSERT_EQ(report.per_irrep.size(), 4u);
  const CharacterTable table = character_table(group);
  double share = 0;
  for (const IrrepError& one : report.per_irrep) {
    share += one.share;
    ASSERT_TRUE(one.error);
    bool trivial = true;
    for (std::size_t c = 0; c < 4; ++c) {
      trivial = trivial && std::abs(table.value(one.irrep, c) - 1.0) < 1e-9;
    }
    // The part has 2 dimensions of variance 1, and noise of variance 4·0.4² in one of them.
    if (trivial) {
      EXPECT_NEAR(*one.error, std::sqrt(0.64 / (2 + 0.64)), 0.06);
    } else {
      EXPECT_LT(*one.error, 1e-6);
    }
  }
  EXPECT_NEAR(share, 1.0, 1e-9);
}

TEST(AuditParts, PairedDifferencesAreNarrowerThanTheErrors) {
  const Group group = make_group("D3");
  const AuditSubject good = to_subject(plant_regular(group, 150, 0.1, 2), "good");
  const AuditSubject poor = to_subject(plant_regular(group, 150, 0.3, 2), "poor");
  const AuditComparison comparison = compare_audits(good, poor, group, part_options());
  const auto& difference = comparison.difference.regular;
  ASSERT_TRUE(difference);
  EXPECT_NEAR(difference->value,
              comparison.first.errors.regular->value - comparison.second.errors.regular->value,
              1e-12);
  EXPECT_LT(difference->high, 0);
  EXPECT_NE(to_text(comparison).find("the first is nearer"), std::string::npos);
  const AuditComparison same = compare_audits(poor, poor, group, part_options());
  EXPECT_EQ(same.difference.regular->low, 0);
  EXPECT_EQ(same.difference.regular->high, 0);
  const AuditSubject fewer = to_subject(plant_regular(group, 100, 0.1, 2), "fewer");
  EXPECT_THROW(compare_audits(good, fewer, group, part_options()), InputError);
}

// ρ by matrices gives what the same ρ as a representation gives.
TEST(AuditParts, MatricesStandForARepresentation) {
  const Group group = make_group("C4");
  const AuditSubject subject = to_subject(plant_regular(group, 60, 0.2, 9), "noisy");
  AuditOptions options = part_options();
  options.representation = copies(regular_representation(group), 2);
  const AuditReport named = audit(subject, group, options);
  options.matrices = options.representation->matrices();
  options.representation.reset();
  const AuditReport given = audit(subject, group, options);
  EXPECT_NEAR(named.errors.given->value, given.errors.given->value, 1e-12);
  EXPECT_EQ(named.room.invariants, given.room.invariants);
  EXPECT_EQ(given.audited, "given");
  options.matrices.pop_back();
  EXPECT_THROW(audit(subject, group, options), InputError);
}

// float32 embeddings take the fast paths: the same numbers up to their own rounding.
TEST(AuditParts, SinglePrecisionAgreesWithDouble) {
  const Group group = make_group("D4");
  const Planted data = plant_regular(group, 120, 0.2, 4);
  const std::vector<float> single(data.z.begin(), data.z.end());
  const std::vector<double> rounded(single.begin(), single.end());
  const AuditReport a = audit(OrbitEmbeddings{std::span<const float>(single), data.samples, 8, 16},
                              group, part_options());
  const AuditReport b =
      audit(OrbitEmbeddings{std::span<const double>(rounded), data.samples, 8, 16}, group,
            part_options());
  EXPECT_NEAR(a.errors.fitted->value, b.errors.fitted->value, 1e-5);
  EXPECT_NEAR(*a.fitted.homomorphism_defect, *b.fitted.homomorphism_defect, 1e-4);
}

TEST(AuditParts, JsonReadsBackToTheSameJson) {
  const Group group = make_group("C4");
  const Planted data = plant_regular(group, 60, 0.2, 3);
  AuditReport report = audit(data.orbits(), group, part_options());
  report.subject = "a \"run\", layer 0";
  report.groups =
      audit_candidates(data.orbits(), group, {make_group("C2"), make_group("C3")}, part_options());
  report.floor = AuditFloor{0.1, 0.05, 1, {{1, "r", 0.1}}};
  report.inputs = AuditInputs{0.25, 0.5};
  const std::string json = to_json(report);
  EXPECT_EQ(to_json(parse_audit(json, "audit.json")), json);
  const AuditReport collapsed =
      audit(OrbitEmbeddings{std::span<const double>(std::vector<double>(80, 1.0)), 20, 4, 1}, group,
            part_options());
  EXPECT_EQ(to_json(parse_audit(to_json(collapsed), "audit.json")), to_json(collapsed));
  for (const char* text : {"", "[]", "{}", "{\"group\": \"C4\"}", "{\"verdict\": 3}"}) {
    EXPECT_THROW(parse_audit(text, "audit.json"), FileError) << text;
  }
}

TEST(OrbitTheorem, HoldsWithEqualityOfNothingForAnExactOrbit) {
  const Group group = make_group("C4");
  const Representation regular = regular_representation(group);
  const auto matrices = regular.matrices();
  OrbitMatrix orbit(4, 4);
  const Eigen::Vector4d x(1, 2, -1, 0.5);
  for (Eigen::Index h = 0; h < 4; ++h) {
    orbit.row(h) = (matrices[static_cast<std::size_t>(h)] * x).transpose();
  }
  const ApplyElement apply = [&](Element g, const OrbitMatrix& rows, OrbitMatrix& moved) {
    moved = rows * matrices[g].transpose();
  };
  const OrbitTheorem exact = theorem_one_on(group, orbit, apply, 1e-12);
  EXPECT_TRUE(exact.full_rank);
  EXPECT_LT(exact.distance, 1e-12);
  orbit(1, 2) += 0.1;
  const OrbitTheorem noisy = theorem_one_on(group, orbit, apply, 1e-12);
  EXPECT_GT(noisy.distance, 0.01);
  EXPECT_LE(noisy.distance, noisy.bound);
  const OrbitMatrix flat = OrbitMatrix::Ones(4, 4);
  const OrbitTheorem deficient = theorem_one_on(group, flat, apply, 1e-12);
  EXPECT_FALSE(deficient.full_rank);
  EXPECT_FALSE(std::isfinite(deficient.bound));
  const std::vector<bool> right = probe_orbit(orbit);
  EXPECT_EQ(std::count(right.begin(), right.end(), true), 4);
  const std::vector<bool> blind = probe_orbit(flat);
  EXPECT_LE(std::count(blind.begin(), blind.end(), true), 1);
}

}  // namespace
}  // namespace algprior
