#include "algprior/rep/approximate.hpp"

#include "../../laws/representation_laws.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/decomposition.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using laws::random_matrix;

MatrixXd diagonal(std::initializer_list<double> entries) {
  return Eigen::Map<const Eigen::VectorXd>(entries.begin(), static_cast<Index>(entries.size()))
      .asDiagonal();
}

/// The largest singular value, by power iteration.
double operator_norm(const MatrixXd& a) {
  Eigen::VectorXd v = random_matrix(a.cols(), 1, 23);
  double square = 0;
  for (int step = 0; step < 500; ++step) {
    v = (a.transpose() * (a * v)).eval();
    square = v.norm();
    v /= square;
  }
  return std::sqrt(square);
}

std::vector<std::size_t> rounded(const std::vector<double>& values) {
  std::vector<std::size_t> result;
  for (double value : values) result.push_back(static_cast<std::size_t>(std::lround(value)));
  return result;
}

/// Random multiplicities of the real irreducible representations, summed up, in a random basis.
struct RoundTrip {
  RoundTrip(const char* spec, std::uint64_t seed)
      : group(make_group(spec)),
        table(character_table(group)),
        exact(trivial_representation(group)) {
    std::mt19937_64 random(seed);
    std::vector<Representation> parts{trivial_representation(group)};
    for (const RealIrreducible& irrep : real_irreducible_representations(table)) {
      parts.push_back(copies(irrep.representation, random() % 3));
    }
    const Representation sum = direct_sum(parts);
    const auto d = static_cast<Index>(sum.dimension());
    const MatrixXd tilt = random_matrix(d, d, seed) * (0.25 / std::sqrt(static_cast<double>(d)));
    exact = change_of_basis(sum, MatrixXd(MatrixXd::Identity(d, d) + tilt));
    condition = (1 + operator_norm(tilt)) / (1 - operator_norm(tilt));  // an upper bound
    expected = multiplicities(sum, irreducible_representations(table));
  }

  enum class Noise { kRandom, kGrowing };

  /// The generators with noise of operator norm `size`: of random direction, or along the
  /// generator, where every trace grows with the length of the word.
  ApproximateRepresentation with_noise(double size, Noise noise, std::uint64_t seed) const {
    std::vector<MatrixXd> generators;
    for (Element s : group.generators()) {
      const MatrixXd matrix = exact.matrix(s);
      MatrixXd direction = matrix;
      if (noise == Noise::kRandom) direction = random_matrix(matrix.rows(), matrix.cols(), ++seed);
      generators.push_back(matrix + direction * (size / operator_norm(direction)));
    }
    return {group, std::move(generators)};
  }

  Group group;
  CharacterTable table;
  Representation exact;
  double condition = 1;
  std::vector<std::size_t> expected;
};

class RoundTripOf : public testing::TestWithParam<const char*> {};

TEST_P(RoundTripOf, MultiplicitiesAreRecoveredAtTheNoiseRadius) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const RoundTrip trip(GetParam(), seed);
    const double radius = noise_radius(trip.group, trip.exact.dimension(), trip.condition);
    for (auto noise : {RoundTrip::Noise::kRandom, RoundTrip::Noise::kGrowing}) {
      const auto learned = trip.with_noise(radius, noise, 100 * seed);
      EXPECT_EQ(rounded(multiplicities_by_elements(learned, trip.table)), trip.expected);
      EXPECT_EQ(rounded(multiplicities_by_classes(learned, trip.table)), trip.expected);
      EXPECT_EQ(rounded(multiplicities_by_eigenvalues(learned, trip.table).multiplicities),
                trip.expected);
    }
  }
}

TEST_P(RoundTripOf, TheNearestRepresentationIsExactAndNoFartherThanTheOriginal) {
  const RoundTrip trip(GetParam(), 3);
  const auto learned = trip.with_noise(0.05, RoundTrip::Noise::kRandom, 300);
  const NearestRepresentation nearest = nearest_representation(learned);
  ASSERT_TRUE(nearest.representation) << nearest.reason;
  laws::RepresentationLaws(*nearest.representation).homomorphism();
  EXPECT_EQ(multiplicities(*nearest.representation, irreducible_representations(trip.table)),
            trip.expected);
  double found = 0, original = 0, farthest = 0;
  for (std::size_t k = 0; k < learned.generators().size(); ++k) {
    const Element s = trip.group.generators()[k];
    const double off = (learned.generators()[k] - nearest.representation->matrix(s)).squaredNorm();
    found += off;
    farthest = std::max(farthest, std::sqrt(off / static_cast<double>(learned.dimension())));
    original += (learned.generators()[k] - trip.exact.matrix(s)).squaredNorm();
  }
  EXPECT_LE(found, original);
  EXPECT_NEAR(nearest.distance, farthest, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Groups, RoundTripOf,
                         testing::Values("C2", "C4", "C7", "D3", "D4", "Q8", "S4", "cube", "C7:C3",
                                         "C2^3", "D4xC3"));

TEST(Traces, SayHowFarTheyAre) {
  const RoundTrip trip("D4", 1);
  std::vector<std::uint64_t> seen;
  trip.with_noise(0, RoundTrip::Noise::kRandom, 1)
      .traces([&](std::uint64_t done, std::uint64_t all) {
        EXPECT_EQ(all, 8u);
        seen.push_back(done);
      });
  ASSERT_FALSE(seen.empty());
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], seen.front() + i);
}

/// Two copies of the regular representation of D4, with noise.
ApproximateRepresentation noisy_regular() {
  const Group group = make_group("D4");
  const Representation exact = copies(regular_representation(group), 2);
  std::vector<MatrixXd> generators;
  for (Element s : group.generators()) {
    generators.push_back(exact.matrix(s) + 0.05 * random_matrix(16, 16, s));
  }
  return {group, std::move(generators)};
}

TEST(Nearest, OrthogonalStaysOrthogonal) {
  const ApproximateRepresentation noisy = noisy_regular();
  const NearestRepresentation nearest = nearest_representation(noisy, {.orthogonal = true});
  ASSERT_TRUE(nearest.representation) << nearest.reason;
  EXPECT_LE(unitarity_defect(*nearest.representation), 1e-10);
  EXPECT_LE(homomorphism_defect(*nearest.representation), 1e-10);
  EXPECT_LE(nearest.distance, 0.25);
}

// No conjugate nearby is nearer: Σ_s ⟨ρ̂(s) − π(s), Xπ(s) − π(s)X⟩ = 0 for every X, or every skew X
// where π stays orthogonal.
TEST(Nearest, IsAStationaryPointAmongItsConjugates) {
  const ApproximateRepresentation noisy = noisy_regular();
  for (const bool orthogonal : {false, true}) {
    const NearestRepresentation nearest = nearest_representation(noisy, {.orthogonal = orthogonal});
    ASSERT_TRUE(nearest.representation) << nearest.reason;
    MatrixXd gradient = MatrixXd::Zero(16, 16);
    double distance = 0;
    for (std::size_t k = 0; k < noisy.generators().size(); ++k) {
      const MatrixXd pi = nearest.representation->matrix(noisy.group().generators()[k]);
      const MatrixXd residual = noisy.generators()[k] - pi;
      gradient += residual * pi.transpose() - pi.transpose() * residual;
      distance += residual.norm();
    }
    if (orthogonal) gradient = (gradient - gradient.transpose()).eval();
    EXPECT_LE(gradient.norm(), 1e-3 * distance) << orthogonal;
  }
}

TEST(Nearest, ConvergesQuadratically) {
  const RoundTrip trip("D4", 3);
  const auto learned = trip.with_noise(1e-3, RoundTrip::Noise::kRandom, 7);
  const NearestRepresentation nearest = nearest_representation(learned);
  ASSERT_TRUE(nearest.representation);
  EXPECT_LE(nearest.iterations, 5);
  EXPECT_LE(nearest.defect, 1e-12);
}

TEST(Nearest, SaysPlainlyWhenThereIsNone) {
  const Group c2 = make_group("C2"), d4 = make_group("D4");
  const auto far = nearest_representation({c2, {diagonal({3, -3})}});
  EXPECT_FALSE(far.representation);
  EXPECT_NEAR(far.distance, 2, 1e-9);
  EXPECT_EQ(far.reason.rfind("none nearby", 0), 0u) << far.reason;
  const auto singular = nearest_representation({c2, {diagonal({1, 0})}});
  EXPECT_FALSE(singular.representation);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto noise =
        nearest_representation({d4, {random_matrix(6, 6, seed), random_matrix(6, 6, 100 + seed)}});
    EXPECT_FALSE(noise.representation) << seed << ": " << noise.distance;
    EXPECT_FALSE(noise.reason.empty());
  }
}

TEST(RelatorDefects, AreTheAlgebraLoss) {
  const Group group = make_group("C2");
  const auto defects = relator_defects({group, {diagonal({1.5, -1})}});
  ASSERT_EQ(defects.size(), 1u);
  EXPECT_DOUBLE_EQ(defects[0].norm, 1.25);
  EXPECT_DOUBLE_EQ(defects[0].mean_square, 1.25 * 1.25 / 4);
}

TEST(ByClasses, IsThePapersFormulaForD3) {
  const Group group = make_group("D3");
  const Representation exact = copies(regular_representation(group), 3);
  const MatrixXd r = exact.matrix(group.generators()[0]) + 0.02 * random_matrix(18, 18, 1);
  const MatrixXd s = exact.matrix(group.generators()[1]) + 0.02 * random_matrix(18, 18, 2);
  const auto counts = multiplicities_by_classes({group, {r, s}}, character_table(group));
  EXPECT_NEAR(counts[0], (18 + 3 * s.trace() + 2 * r.trace()) / 6, 1e-10);
  EXPECT_NEAR(counts[1], (18 - 3 * s.trace() + 2 * r.trace()) / 6, 1e-10);
  EXPECT_NEAR(counts[2], (2 * 18 - 2 * r.trace()) / 6, 1e-10);
  EXPECT_NEAR(counts[0] + counts[1] + 2 * counts[2], 18, 1e-10);
}

TEST(ByEigenvalues, CountsNearestRootsAndReportsTies) {
  const Group group = make_group("C2");
  const CharacterTable table = character_table(group);
  const auto clear = multiplicities_by_eigenvalues({group, {diagonal({0.7, -1.3, -0.2})}}, table);
  EXPECT_EQ(clear.multiplicities, (std::vector<double>{1, 2}));
  EXPECT_EQ(clear.counts[1], (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(clear.ties.empty());
  const auto tied = multiplicities_by_eigenvalues({group, {diagonal({0.01, -1})}}, table);
  ASSERT_EQ(tied.ties.size(), 1u);
  EXPECT_EQ(tied.ties[0].class_index, 1u);
  EXPECT_NEAR(tied.ties[0].eigenvalue.real(), 0.01, 1e-12);
}

TEST(Approximate, RefusesBadMatrices) {
  const Group group = make_group("D3");
  EXPECT_THROW(ApproximateRepresentation(group, {MatrixXd::Identity(2, 2)}), InputError);
  EXPECT_THROW(
      ApproximateRepresentation(group, {MatrixXd::Identity(2, 2), MatrixXd::Identity(3, 3)}),
      InputError);
  const MatrixXd bad = MatrixXd::Constant(2, 2, NAN);
  EXPECT_THROW(ApproximateRepresentation(group, {bad, bad}), InputError);
}

}  // namespace
}  // namespace algprior
