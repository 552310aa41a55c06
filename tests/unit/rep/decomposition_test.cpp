#include "algprior/rep/decomposition.hpp"

#include "../../laws/representation_laws.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/intertwiners.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using laws::random_matrix;

struct Setting {
  explicit Setting(const char* spec)
      : group(make_group(spec)),
        table(character_table(group)),
        irreps(irreducible_representations(table)),
        real(real_irreducible_representations(table)) {}
  Group group;
  CharacterTable table;
  std::vector<Representation> irreps;
  std::vector<RealIrreducible> real;
};

/// B⁻¹ρ(g)B is block diagonal with the irreps themselves on the diagonal, for every g.
template <class Matrix, class At>
void expect_blocks(const Representation& rho, const Decomposition<Matrix>& parts,
                   const std::vector<Representation>& irreps, At at) {
  const auto d = static_cast<Index>(rho.dimension());
  for (Element g = 0; g < rho.group().order(); ++g) {
    Matrix blocks = Matrix::Zero(d, d);
    for (const Summand& part : parts.summands) {
      const auto size = static_cast<Index>(part.dimension),
                 offset = static_cast<Index>(part.offset);
      blocks.block(offset, offset, size, size) = at(irreps[part.irrep], g);
    }
    const Matrix moved = parts.inverse * at(rho, g) * parts.basis;
    EXPECT_LE((moved - blocks).norm(), parts.error_bound + 1e-11) << g;
  }
  EXPECT_LE(parts.error_bound, 1e-7);
  EXPECT_GE(parts.error_bound, parts.residual);
}

void expect_complex(const Setting& setting, const Representation& rho) {
  const ComplexDecomposition parts = decompose(rho, setting.irreps);
  expect_blocks(rho, parts, setting.irreps,
                [](const Representation& r, Element g) { return r.complex_matrix(g); });
}

void expect_real(const Setting& setting, const Representation& rho) {
  const RealDecomposition parts = decompose_real(rho, setting.real);
  std::vector<Representation> irreps;
  for (const RealIrreducible& irrep : setting.real) irreps.push_back(irrep.representation);
  expect_blocks(rho, parts, irreps, [](const Representation& r, Element g) { return r.matrix(g); });
}

class DecompositionOf : public testing::TestWithParam<const char*> {};

TEST_P(DecompositionOf, TheRegularRepresentationHasEveryIrrepDegreeTimes) {
  const Setting setting(GetParam());
  const Representation rho = regular_representation(setting.group);
  const auto counts = multiplicities(rho, setting.irreps);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(counts[i], setting.irreps[i].dimension());
  }
  expect_complex(setting, rho);
  expect_real(setting, rho);
  const auto n = static_cast<Index>(rho.dimension());
  const MatrixXd basis = decompose_real(rho, setting.real).basis;
  EXPECT_LE((basis.transpose() * basis - MatrixXd::Identity(n, n)).norm(), 1e-9);
}

TEST_P(DecompositionOf, RecoversRandomMultiplicitiesAfterAnyBasisChange) {
  const Setting setting(GetParam());
  std::mt19937_64 random(17);
  std::vector<std::size_t> expected;
  std::vector<Representation> parts{trivial_representation(setting.group, 0)};
  for (const RealIrreducible& irrep : setting.real) {
    expected.push_back(random() % 3);
    parts.push_back(copies(irrep.representation, expected.back()));
  }
  const Representation sum = direct_sum(parts);
  const auto d = static_cast<Index>(sum.dimension());
  const MatrixXd basis =
      random_matrix(d, d, 19) / std::sqrt(static_cast<double>(d)) + 2 * MatrixXd::Identity(d, d);
  const Representation rho = change_of_basis(sum, basis);
  EXPECT_EQ(decompose_real(rho, setting.real).multiplicities, expected);
  expect_real(setting, rho);
  expect_complex(setting, rho);
}

TEST_P(DecompositionOf, IsotypicProjectionsAreAPartitionOfUnity) {
  const Setting setting(GetParam());
  const Representation rho = regular_representation(setting.group);
  const auto n = static_cast<Index>(rho.dimension());
  const MatrixXd moved = rho.matrix(static_cast<Element>(setting.group.order() - 1));
  MatrixXd sum = MatrixXd::Zero(n, n);
  for (const RealIrreducible& irrep : setting.real) {
    const MatrixXd projection = isotypic_projection(rho, irrep);
    EXPECT_LE((projection * projection - projection).norm(), 1e-10);
    EXPECT_LE((projection * moved - moved * projection).norm(), 1e-10);
    sum += projection;
  }
  EXPECT_LE((sum - MatrixXd::Identity(n, n)).norm(), 1e-10);
}

template <class Matrix, class At>
void expect_intertwiners(const std::vector<Matrix>& basis, const Representation& from,
                         const Representation& to, At at) {
  ASSERT_EQ(basis.size(), intertwiner_dimension(from, to));
  const auto count = static_cast<Index>(basis.size());
  Matrix gram(count, count);
  for (Index a = 0; a < count; ++a) {
    const Matrix& map = basis[static_cast<std::size_t>(a)];
    for (Element s : from.group().generators()) {
      EXPECT_LE((map * at(from, s) - at(to, s) * map).norm(), 1e-9);
    }
    for (Index b = 0; b < count; ++b) {
      gram(a, b) = (basis[static_cast<std::size_t>(b)].adjoint() * map).trace();
    }
  }
  // Orthogonal and not zero, hence independent.
  EXPECT_GE(gram.diagonal().real().minCoeff(), 0.5);
  EXPECT_LE((gram - Matrix(gram.diagonal().asDiagonal())).norm(), 1e-8);
}

TEST_P(DecompositionOf, IntertwinersFormABasis) {
  const Setting setting(GetParam());
  if (setting.group.order() > 24) return;
  const Representation regular = regular_representation(setting.group);
  const Representation other =
      direct_sum({setting.real.back().representation, trivial_representation(setting.group, 2)});
  EXPECT_EQ(intertwiner_dimension(regular, other), other.dimension());
  expect_intertwiners(intertwiners(regular, other, setting.irreps), regular, other,
                      [](const Representation& r, Element g) { return r.complex_matrix(g); });
  expect_intertwiners(intertwiners(regular, other, setting.real), regular, other,
                      [](const Representation& r, Element g) { return r.matrix(g); });
}

INSTANTIATE_TEST_SUITE_P(Groups, DecompositionOf,
                         testing::Values("C1", "C5", "D3", "D4", "Q8", "Dic3", "A4", "S4", "cube",
                                         "C7:C3", "D4xC3", "Q8xC3", "A5"));

TEST(Decompose, RefusesWhatDoesNotFit) {
  const Setting setting("S3");
  std::vector<Representation> two(setting.irreps.begin(), setting.irreps.begin() + 2);
  EXPECT_THROW(decompose(regular_representation(setting.group), two), InputError);
  const Representation not_real =
      linear_representation(make_group("C3"), {std::polar(1.0, 2 * M_PI / 3)});
  EXPECT_THROW(
      decompose_real(not_real, real_irreducible_representations(character_table(not_real.group()))),
      InputError);
  // Images that are no homomorphism have no whole multiplicities.
  const Group group = make_group("C3");
  const Representation broken =
      matrix_representation_unchecked(group, std::vector<MatrixXd>{MatrixXd::Constant(1, 1, 0.5)});
  EXPECT_THROW(decompose(broken, irreducible_representations(character_table(group))), InputError);
}

}  // namespace
}  // namespace algprior
