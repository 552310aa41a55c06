#include "algprior/rep/representation.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

using Eigen::MatrixXd;

template <class Call>
Failure failure_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.failure();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Regular, MovesBasisVectorsByLeftMultiplication) {
  const Group group = make_group("D4");
  const Representation rho = regular_representation(group);
  const auto table = rho.gather_table();
  for (Element g = 0; g < 8; ++g) {
    for (Element h = 0; h < 8; ++h) {
      EXPECT_EQ(rho.matrix(g)(group.multiply(g, h), h), 1.0);
      EXPECT_EQ(table[g * 8 + h], group.multiply(group.inverse(g), h));
    }
  }
}

TEST(Regular, OfAProductFactorises) {
  const Group group = make_group("D4xC3");
  const Representation product = outer_tensor_product(
      group, regular_representation(make_group("D4")), regular_representation(make_group("C3")));
  EXPECT_EQ(product.gather_table(), regular_representation(group).gather_table());
}

TEST(Defining, DihedralGroupActsOnCornersAsOnAnImage) {
  // Corners TR = 0, TL = 1, BL = 2, BR = 3; r turns counter-clockwise, s flips left and right.
  const Group group = make_group("D4");
  const Representation rho = defining_representation(group);
  EXPECT_EQ(rho.permutation(1), (Permutation{1, 2, 3, 0}));
  EXPECT_EQ(rho.permutation(4), (Permutation{1, 0, 3, 2}));
  const Representation pairs = defining_representation(make_group("D4xD4"));
  ASSERT_EQ(pairs.dimension(), 16u);
  const Representation tensor = outer_tensor_product(pairs.group(), rho, rho);
  EXPECT_EQ(pairs.gather_table(), tensor.gather_table());
}

TEST(Defining, IsRefusedWhereThereIsNone) {
  EXPECT_THROW(defining_representation(make_group("Q8")), InputError);
  EXPECT_THROW(sign_representation(make_group("Q8xC2")), InputError);
}

TEST(Sign, IsTheSignOfThePermutation) {
  const Group group = make_group("S4");
  const Representation sign = sign_representation(group), points = defining_representation(group);
  for (Element g = 0; g < group.order(); ++g) {
    const double fixed = points.trace(g).real();
    if (fixed == 0) continue;  // two transpositions or a 4-cycle
    // Two fixed points: a transposition; one: a 3-cycle.
    EXPECT_EQ(sign.matrix(g)(0, 0), fixed == 2 ? -1.0 : 1.0) << g;
  }
}

TEST(Copies, AreConsecutiveBlocksAndStayPermutations) {
  const Group group = make_group("C3");
  const Representation rho = copies(regular_representation(group), 2);
  EXPECT_EQ(rho.permutation(1), (Permutation{1, 2, 0, 4, 5, 3}));
  const Representation padded = direct_sum({rho, trivial_representation(group, 2)});
  EXPECT_TRUE(padded.is_permutation());
  EXPECT_EQ(padded.permutation(1), (Permutation{1, 2, 0, 4, 5, 3, 6, 7}));
  EXPECT_EQ(copies(rho, 0).dimension(), 0u);
}

TEST(TensorProduct, MultipliesEntriesAndCharacters) {
  const Group group = make_group("S3");
  const Representation points = defining_representation(group), sign = sign_representation(group);
  const Representation product = tensor_product(points, sign);
  EXPECT_FALSE(product.is_permutation());
  for (Element g = 0; g < 6; ++g) {
    EXPECT_EQ(product.matrix(g), MatrixXd(points.matrix(g) * sign.matrix(g)(0, 0)));
    EXPECT_EQ(product.trace(g), points.trace(g) * sign.trace(g));
  }
}

TEST(Dual, IsTheInverseTranspose) {
  const Group group = make_group("C3");
  MatrixXd r(2, 2);
  r << 0, -1, 1, -1;  // not orthogonal
  const Representation rho = matrix_representation(group, {r});
  const MatrixXd pairing = dual(rho).matrix(1).transpose() * rho.matrix(1);
  EXPECT_LE((pairing - MatrixXd::Identity(2, 2)).norm(), 1e-14);
}

TEST(Induction, OfTheTrivialRepresentationActsOnCosets) {
  const Group group = make_group("S3"), sub = make_group("C2");
  Element swap = 0;
  while (group.element_order(swap) != 2) ++swap;
  const Representation cosets = induction(trivial_representation(sub), group, {0, swap});
  EXPECT_TRUE(cosets.is_permutation());
  EXPECT_EQ(cosets.character(), defining_representation(group).character());
  const Representation regular = induction(regular_representation(sub), group, {0, swap});
  EXPECT_EQ(regular.character(), regular_representation(group).character());
  EXPECT_THROW(induction(trivial_representation(sub), group, {0, 0}), InputError);
}

TEST(Induction, IsAdjointToRestriction) {
  const Group group = make_group("S4"), sub = make_group("C4");
  Element turn = 0;
  while (group.element_order(turn) != 4) ++turn;
  const std::vector<Element> embedding{0, turn, group.power(turn, 2), group.power(turn, 3)};
  const Representation lambda = linear_representation(sub, {{0.0, 1.0}});
  const Representation induced = induction(lambda, group, embedding);
  const Representation points = defining_representation(group);
  const Representation restricted = restriction(points, sub, embedding);
  std::complex<double> above = 0, below = 0;
  for (Element g = 0; g < 24; ++g) above += std::conj(induced.trace(g)) * points.trace(g);
  for (Element h = 0; h < 4; ++h) below += std::conj(lambda.trace(h)) * restricted.trace(h);
  EXPECT_NEAR(above.real() / 24, below.real() / 4, 1e-12);
  EXPECT_NEAR(below.real() / 4, 1.0, 1e-12);
}

TEST(Restriction, AMapThatMovesTheIdentityIsRefused) {
  const Representation rho = regular_representation(make_group("C4"));
  // φ(s)φ(s) = φ(e), but φ(e)φ(s) ≠ φ(s).
  EXPECT_THROW(restriction(rho, make_group("C2"), {2, 1}), InputError);
  EXPECT_NO_THROW(restriction(rho, make_group("C2"), {0, 2}));
}

TEST(ChangeOfBasis, ConjugatesAndRefusesASingularBasis) {
  const Representation rho = defining_representation(make_group("C3"));
  MatrixXd basis(3, 3);
  basis << 1, 1, 0, 0, 1, 1, 1, 0, 2;
  const Representation changed = change_of_basis(rho, basis);
  EXPECT_LE((basis * changed.matrix(1) - rho.matrix(1) * basis).norm(), 1e-13);
  EXPECT_THROW(change_of_basis(rho, MatrixXd(MatrixXd::Ones(3, 3))), InputError);
}

TEST(Images, ThatBreakARelatorAreNamed) {
  const Group group = make_group("D4");
  const Failure failure = failure_of([&] {
    matrix_representation(group,
                          {MatrixXd(MatrixXd::Identity(2, 2) * 2.0), MatrixXd::Identity(2, 2)});
  });
  EXPECT_NE(failure.where.find("r^4"), std::string::npos) << failure.where;
  EXPECT_NE(failure.next.find("nearest"), std::string::npos);
  EXPECT_THROW(permutation_representation(group, {{1, 2, 0}, {0, 1, 2}}), InputError);
  EXPECT_THROW(permutation_representation(group, {{1, 1}, {0, 1}}), InputError);
  EXPECT_THROW(matrix_representation(group, {MatrixXd(MatrixXd::Identity(2, 2))}), InputError);
  EXPECT_THROW(linear_representation(make_group("C3"), {-1.0}), InputError);
}

TEST(Limits, RefuseWithTheCost) {
  const Group group = make_group("S7");
  const Representation rho = regular_representation(group);
  const Failure failure = failure_of([&] { rho.matrices(); });
  EXPECT_NE(failure.where.find("GiB"), std::string::npos) << failure.where;
  EXPECT_NE(failure.next.find("gather"), std::string::npos);
  EXPECT_THROW(rho.matrices(), LimitError);
  EXPECT_EQ(rho.permutation(1).size(), 5040u);
}

TEST(Elements, OutOfRangeAndWrongKindAreRefused) {
  const Representation rho = linear_representation(make_group("C4"), {{0.0, 1.0}});
  EXPECT_THROW(rho.complex_matrix(4), InputError);
  EXPECT_THROW(rho.matrix(1), InputError);
  EXPECT_THROW(rho.permutation(1), InputError);
  EXPECT_THROW(direct_sum({}), InputError);
  EXPECT_THROW(tensor_product(rho, regular_representation(make_group("C5"))), InputError);
}

}  // namespace
}  // namespace algprior
