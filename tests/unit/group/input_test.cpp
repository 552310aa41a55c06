#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/homomorphism.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/matrix_group.hpp"
#include "algprior/group/multiplication_table.hpp"
#include "algprior/group/permutation.hpp"
#include "algprior/group/product.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace algprior {
namespace {

template <typename Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string message_for(const char* spec) {
  return message_of([&] { make_group(spec); });
}

TEST(Names, AreReadWithTheirOperators) {
  const std::vector<std::pair<const char*, std::size_t>> known{
      {"C_12", 12},      {"D4xD4", 64},       {"D4 x D4", 64}, {"C2×C3", 6},  {"C2^3", 8},
      {"(C2xC3)^2", 36}, {"C7:C3", 21},       {"C2wrS3", 48},  {"OhxC2", 96}, {"Dic3", 12},
      {"Q16", 16},       {"C2wrC2wrC2", 128}, {"((D4))", 8},   {"O", 24},     {"K4", 4}};
  for (const auto& [name, order] : known) EXPECT_EQ(make_group(name).order(), order) << name;
}

TEST(Names, ANameReadsBackAsTheSameGroup) {
  for (const char* name : {"C4", "D4xD4", "C2^3", "C2wrS3", "(C2xC2)wrC2", "C7:C3", "cube", "Q8"}) {
    EXPECT_EQ(make_group(name).name(), name);
  }
}

TEST(Names, ASemidirectProductNamesTheOthersUpToEight) {
  const std::string few = make_group("C8:C2").remark(), many = make_group("C840:C2").remark();
  EXPECT_EQ(few.substr(few.find("the others")), "the others: C8:5C2, C8:7C2");
  EXPECT_EQ(std::count(many.begin(), many.end(), ','), 1 + 7 + 1) << many;
  EXPECT_TRUE(many.ends_with(", and 22 more")) << many;
}

TEST(Names, MatrixGroupsNameTheirGenerators) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(make_group("SL(2,4)").generator_names(), (Names{"t1", "t2", "w"}));
  EXPECT_EQ(make_group("SL(2,3)").generator_names(), (Names{"t", "w"}));
}

TEST(Names, ErrorsPointAtTheirColumn) {
  EXPECT_NE(message_for("D4xE8").find("column 4"), std::string::npos);
  EXPECT_NE(message_for("D0").find("column 2"), std::string::npos);
  EXPECT_NE(message_for("D4xx").find("column 4"), std::string::npos);
  EXPECT_NE(message_for("C2×D").find("column 5"), std::string::npos);  // characters, not bytes
  EXPECT_NE(message_for("C2^0").find("column 4"), std::string::npos);
  EXPECT_NE(message_for("Q9").find("Q8, Q12"), std::string::npos);
  EXPECT_NE(message_for("C4:C3").find("column 3"), std::string::npos);
  EXPECT_NE(message_for("").find("a group such as"), std::string::npos);
  EXPECT_NE(message_for("(1,2,3;(1,2)").find("column 7"), std::string::npos);
  EXPECT_NE(message_for("(1,2,2)").find("column 6"), std::string::npos);
  EXPECT_NE(message_for("(1,2);(0,1)").find("column 8"), std::string::npos);
  EXPECT_NE(message_for("[[0,1],[1,a]]").find("column 11"), std::string::npos);
}

TEST(Names, GroupsThatAreTooLargeAreRefusedWithTheirCost) {
  for (const char* spec : {"S20", "C2^40", "C100000000", "S5wrS5"}) {
    EXPECT_THROW(make_group(spec), LimitError) << spec;
    EXPECT_NE(message_for(spec).find("MB"), std::string::npos) << spec;
  }
  GroupLimits limits;
  limits.max_order = 100;
  EXPECT_THROW(make_group("(1,2,3,4,5);(1,2)", limits), LimitError);
}

TEST(Permutations, ActFromTheLeft) {
  const Permutation p{1, 2, 0}, q{1, 0, 2};
  EXPECT_EQ(compose(p, q), (Permutation{2, 1, 0}));
  EXPECT_EQ(compose(p, inverse(p)), (Permutation{0, 1, 2}));
  EXPECT_EQ(to_cycles(p), "(1,2,3)");
  EXPECT_EQ(to_cycles({0, 1}), "()");
  EXPECT_EQ(to_cycles({0, 2, 1, 4, 3}), "(2,3)(4,5)");
  EXPECT_EQ(parse_permutations("(1,2,3);(1,2)"), (std::vector<Permutation>{p, q}));
  EXPECT_THROW(group_from_permutations({{0, 0}}), InputError);
  try {
    group_from_permutations({{0, 1}, {0}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("generator 2"), std::string::npos) << error.what();
  }
}

TEST(Tables, KeepTheirOrderAndMoveTheIdentityFirst) {
  // C3 with the identity last: 0 = r, 1 = r², 2 = e.
  const Group group = group_from_table({{1, 2, 0}, {2, 0, 1}, {0, 1, 2}});
  EXPECT_EQ(group.multiply(1, 1), 2u);
  EXPECT_EQ(group.multiply(1, 2), 0u);
}

TEST(Tables, WhatIsNoGroupNamesTheAxiomAndTheElements) {
  using Table = std::vector<std::vector<Element>>;
  const auto message = [](const Table& table) {
    return message_of([&] { group_from_table(table); });
  };
  EXPECT_NE(message({{0, 1}, {1, 2}}).find("closure: 1*1 = 2"), std::string::npos);
  EXPECT_NE(message({{0, 1}, {1}}).find("closure: row 1"), std::string::npos);
  EXPECT_NE(message({{1, 0}, {1, 0}}).find("identity"), std::string::npos);
  EXPECT_NE(message({{0, 1}, {1, 1}}).find("inverses: 1*0 = 1*1"), std::string::npos);
  EXPECT_NE(message({}).find("empty"), std::string::npos);
  // A loop of order 5 that is a Latin square with identity and yet not associative.
  const Table loop{
      {0, 1, 2, 3, 4}, {1, 0, 3, 4, 2}, {2, 4, 0, 1, 3}, {3, 2, 4, 0, 1}, {4, 3, 1, 2, 0}};
  EXPECT_NE(message(loop).find("associativity: ("), std::string::npos);
}

TEST(Matrices, GenerateTheirGroup) {
  const Group cube = make_group("cube");
  std::vector<Eigen::MatrixXd> generators;
  for (const Element s : cube.generators()) generators.push_back((*orthogonal_matrices(cube))[s]);
  const Group group = group_from_matrices(generators);
  EXPECT_EQ(group.order(), 24u);
  EXPECT_TRUE(find_isomorphism(group, cube).has_value());
  ASSERT_TRUE(orthogonal_matrices(group).has_value());

  Eigen::MatrixXd skew(2, 2);  // order 3, not orthogonal
  skew << 0, -1, 1, -1;
  const Group skewed = group_from_matrices({skew});
  EXPECT_EQ(skewed.order(), 3u);
  EXPECT_EQ(group_from_matrices({skew}, 0.0).order(), 3u);  // integers are equal or not
  EXPECT_FALSE(orthogonal_matrices(skewed).has_value());
}

TEST(Matrices, BadOnesAreRefused) {
  GroupLimits limits;
  limits.max_order = 1000;
  Eigen::MatrixXd turn(2, 2);  // by one radian: infinite order
  turn << std::cos(1.0), -std::sin(1.0), std::sin(1.0), std::cos(1.0);
  EXPECT_THROW(group_from_matrices({turn}, 1e-9, limits), LimitError);
  EXPECT_THROW(group_from_matrices({Eigen::MatrixXd::Zero(2, 2)}), InputError);
  EXPECT_THROW(
      group_from_matrices({Eigen::MatrixXd::Identity(2, 2), Eigen::MatrixXd::Identity(3, 3)}),
      InputError);
  EXPECT_THROW(group_from_matrices({}), InputError);
}

TEST(SemidirectProducts, AreChecked) {
  const Group c7 = make_group("C7"), c3 = make_group("C3");
  EXPECT_EQ(semidirect_product(c7, c3, {{2}}).classes().count(), 5u);
  EXPECT_EQ(semidirect_product(c7, c3, {{2}}).generator_names(),
            (std::vector<std::string>{"r1", "r2"}));
  EXPECT_THROW(semidirect_product(c7, c3, {{3}}), InputError);  // 3 has order 6 modulo 7
  EXPECT_THROW(semidirect_product(c7, c3, {{0}}), InputError);  // no automorphism
  EXPECT_THROW(semidirect_product(c7, c3, {}), InputError);
  EXPECT_TRUE(find_isomorphism(make_group("C4:C2"), make_group("D4")).has_value());
}

TEST(WreathProducts, OfTwoElementsOverPointsAreHyperoctahedral) {
  EXPECT_TRUE(find_isomorphism(make_group("C2wrS3"), make_group("Oh")).has_value());
  EXPECT_TRUE(find_isomorphism(make_group("C2wrC2"), make_group("D4")).has_value());
  EXPECT_EQ(defining_degree(make_group("C2wrS3")), 6u);
}

TEST(Components, SplitAndJoin) {
  const Group group = make_group("D4xC3xS3");
  ASSERT_EQ(factors(group).size(), 3u);
  for (Element g = 0; g < group.order(); ++g) {
    EXPECT_EQ(from_components(group, components(group, g)), g);
  }
  EXPECT_EQ(components(group, 5 * 18 + 2 * 6 + 4), (std::vector<Element>{5, 2, 4}));
  EXPECT_EQ(factors(make_group("D4")).size(), 1u);
}

}  // namespace
}  // namespace algprior
