// Faults of groups and representations, each with the day on which it was mended.
#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/homomorphism.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/presentation.hpp"
#include "algprior/rep/approximate.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/irreps.hpp"

#include <random>

#include <gtest/gtest.h>

namespace algprior {
namespace {

std::string refusal(const std::string& spec, const GroupLimits& limits = {}) {
  try {
    make_group(spec, limits);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Associativity and inverses on random triples: large groups have no table to compare with.
void expect_multiplies(const Group& group) {
  std::mt19937_64 random(7);
  const auto any = [&] { return static_cast<Element>(random() % group.order()); };
  for (int i = 0; i < 2000; ++i) {
    const Element a = any(), b = any(), c = any();
    ASSERT_EQ(group.multiply(group.multiply(a, b), c), group.multiply(a, group.multiply(b, c)));
    ASSERT_EQ(group.multiply(a, group.inverse(a)), Group::identity());
  }
  for (std::size_t s = 0; s < group.generators().size(); ++s) {
    const Element a = any();
    const Element product = group.multiply(a, group.generators()[s]);
    Word word = group.word(a);
    word.push_back(static_cast<int>(s) + 1);
    ASSERT_EQ(group.evaluate(word), product);
  }
}

// 2026-11-17: an internal error for 13 or more generators, and for groups of large diameter.
TEST(Groups, OfManyGeneratorsOrLargeDiameterMultiply) {
  const std::vector<std::pair<const char*, std::size_t>> known{{"C2^13", 8192},
                                                               {"D20000", 40000},
                                                               {"Dic10000", 40000},
                                                               {"C2wrC2wrC2wrC2", 32768},
                                                               {"C2^7wrC2", 32768}};
  for (const auto& [name, order] : known) {
    const Group group = make_group(name);
    EXPECT_EQ(group.order(), order) << name;
    expect_multiplies(group);
  }
  std::string swaps;
  for (int i = 0; i < 13; ++i) {
    swaps += (i == 0 ? "" : ";") + ("(" + std::to_string(2 * i + 1) + ",") +
             std::to_string(2 * i + 2) + ")";
  }
  const Group group = make_group(swaps);
  EXPECT_EQ(group.order(), 8192u);
  expect_multiplies(group);
}

// 2026-11-17: 262,144 trivial factors took gigabytes for their commutators.
TEST(Groups, OfTooManyGeneratorsAreRefusedWithTheirCost) {
  EXPECT_NE(refusal("((C1^64)^64)^64").find("relators"), std::string::npos);
  EXPECT_NE(refusal("((C1^64)^64)^64").find("trivial factors"), std::string::npos);
  EXPECT_EQ(make_group("C1^64").order(), 1u);
}

// 2026-11-17: no answer, from a search over all pairs of numbers.
TEST(Groups, SemidirectProductsOfLargeCyclicGroupsAreQuick) {
  EXPECT_NE(refusal("C999983:C7").find("max_order"), std::string::npos);
  EXPECT_NE(refusal("C9973:C7").find("cannot act faithfully"), std::string::npos);
  EXPECT_EQ(make_group("C9973:C4").order(), 39892u);
}

// 2026-11-17: which of several semidirect products was taken stood nowhere.
TEST(Groups, ASemidirectProductSaysWhichItIs) {
  const Group taken = make_group("C8:C2");
  EXPECT_EQ(taken.name(), "C8:3C2");
  for (const char* part : {"C8:3C2", "C8:5C2", "C8:7C2"}) {
    EXPECT_NE(taken.remark().find(part), std::string::npos) << taken.remark();
  }
  EXPECT_EQ(make_group("C7:C3").name(), "C7:C3");
  EXPECT_EQ(make_group("C7:C3").remark(), "");
  EXPECT_EQ(make_group("C8:5C2").remark(), "");
  EXPECT_EQ(make_group("C8:5C2").name(), "C8:5C2");
  EXPECT_TRUE(find_isomorphism(make_group("C8:7C2"), make_group("D8")));
  EXPECT_FALSE(find_isomorphism(make_group("C8:5C2"), make_group("C8:3C2")));
  EXPECT_TRUE(find_isomorphism(make_group("C3:2C4"), make_group("Dic3")));
  EXPECT_NE(make_group("C8:C2xC3").remark().find("C8:5C2"), std::string::npos);
  EXPECT_NE(refusal("C8:2C2").find("1 modulo 8"), std::string::npos);
}

// 2026-11-17: names that people type.
TEST(Groups, GoByTheNamesThatPeopleType) {
  const std::vector<std::pair<const char*, std::size_t>> known{
      {"Z4", 4},         {"c4", 4},          {"d4xd4", 64},      {"s5", 120},
      {"Cube", 24},      {"oh", 48},         {"dic3", 12},       {"SL(2,3)", 24},
      {"GL(2,3)", 48},   {"PSL(2,7)", 168},  {"PGL(2,5)", 120},  {"SL(2,4)", 60},
      {"SL(2,5)", 120},  {"GL(3,2)", 168},   {"PSL(2,9)", 360},  {"SL2(3)", 24},
      {"psl_2(8)", 504}, {"SL(2,3)xC2", 48}, {"PSL(3,3)", 5616}, {"GL(2,4)", 180}};
  for (const auto& [name, order] : known) EXPECT_EQ(make_group(name).order(), order) << name;
  EXPECT_EQ(make_group("Z4").name(), "C4");
  EXPECT_EQ(make_group("sl2(3)").name(), "SL(2,3)");
  EXPECT_EQ(make_group(make_group("SL(2,3)xC2").name()).order(), 48u);
  EXPECT_TRUE(find_isomorphism(make_group("SL(2,4)"), make_group("A5")));
  EXPECT_TRUE(find_isomorphism(make_group("PGL(2,5)"), make_group("S5")));
  EXPECT_TRUE(find_isomorphism(make_group("PSL(2,7)"), make_group("GL(3,2)")));
  EXPECT_TRUE(find_isomorphism(make_group("PSL(2,9)"), make_group("A6")));
  EXPECT_FALSE(find_isomorphism(make_group("SL(2,3)"), make_group("S4")));
  for (const char* wrong : {"SL(2,6)", "SL(1,3)", "SL(2)", "SL(2,3", "GL(2,257)", "SL"}) {
    EXPECT_NE(refusal(wrong).find("column"), std::string::npos) << wrong;
  }
  EXPECT_NE(refusal("GL(5,5)").find("elements"), std::string::npos);
}

TEST(Groups, OfMatricesOverAFieldActOnTheirVectors) {
  for (const auto& [name, degree] : {std::pair("GL(2,3)", 8), std::pair("PSL(2,7)", 8),
                                     std::pair("SL(2,4)", 15), std::pair("PGL(3,2)", 7)}) {
    const Group group = make_group(name);
    EXPECT_EQ(defining_degree(group), static_cast<std::size_t>(degree)) << name;
    const Representation rho = defining_representation(group);
    EXPECT_EQ(homomorphism_defect(rho), 0) << name;
    EXPECT_NEAR(multiplicities(character_table(group), rho.character())[0], 1, 1e-9)
        << name << " moves every point to every other";
  }
}

// 2026-11-17: S1 printed a presentation that could not be read.
TEST(Presentations, OfTheTrivialGroupCanBeReadBack) {
  for (const char* name : {"S1", "A1", "A2"}) {
    const std::string text = to_string(make_group(name).presentation());
    EXPECT_EQ(make_group(text).order(), 1u) << text;
  }
  EXPECT_EQ(make_group("<|>").order(), 1u);
}

// 2026-11-17: bounds were named by options that most commands lack.
TEST(Groups, TheLibraryNamesItsBoundsAndNoOptions) {
  GroupLimits limits;
  limits.max_order = 10;
  limits.max_cosets = 10;
  for (const char* spec : {"S5", "(1,2,3,4);(1,2)", "<a | a^50>", "<a,b | a^2>"}) {
    const std::string message = refusal(spec, limits);
    EXPECT_EQ(message.find("--"), std::string::npos) << message;
    EXPECT_NE(message.find("max_"), std::string::npos) << message;
  }
}

// 2026-11-17: matrices with exchanged names were called singular.
TEST(NearestRepresentation, ExchangedNamesAreNotCalledSingular) {
  const Group group = make_group("D4");
  Eigen::Matrix2d turn, flip;
  turn << 0, 1, -1, 0;
  flip << -1, 0, 0, 1;
  const auto reason = [&](const Eigen::MatrixXd& r, const Eigen::MatrixXd& s) {
    return nearest_representation(ApproximateRepresentation(group, {r, s})).reason;
  };
  EXPECT_EQ(reason(turn, flip), "");
  EXPECT_EQ(reason(flip, turn).find("singular"), std::string::npos) << reason(flip, turn);
  EXPECT_NE(reason(flip, turn), "");
  Eigen::Matrix2d flat = Eigen::Matrix2d::Zero();
  flat(0, 0) = 1;
  EXPECT_NE(reason(flat, flip).find("generator r is singular"), std::string::npos)
      << reason(flat, flip);
}

// 2026-11-17: S8's matrices took minutes and gigabytes, checked on all 40,320 elements. Here a
// group that passes the same bound is checked on all of them by hand.
TEST(Irreps, CheckedByRelatorsAreRepresentations) {
  const Group group = make_group("S7");
  const CharacterTable table = character_table(group);
  std::size_t row = table.count() - 1;
  ASSERT_EQ(table.degree(row), 35);  // 5040·35³ > 2·10^8
  const Representation rho = irreducible_representation(table, row);
  EXPECT_LT(homomorphism_defect(rho), 1e-9);
  EXPECT_LT(unitarity_defect(rho), 1e-9);
  std::mt19937_64 random(3);
  for (int i = 0; i < 50; ++i) {
    const auto g = static_cast<Element>(random() % group.order());
    const auto h = static_cast<Element>(random() % group.order());
    const double off = (rho.matrix(g) * rho.matrix(h) - rho.matrix(group.multiply(g, h))).norm();
    ASSERT_LT(off, 1e-8);
    ASSERT_NEAR(rho.trace(g).real(), table.value(row, group.classes().class_of[g]).real(), 1e-8);
  }
}

TEST(ApproximateRepresentation, WordsAndTracesAgreeWithPlainProducts) {
  const Group group = make_group("cube");
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<Eigen::MatrixXd> generators;
  for (int k = 0; k < 2; ++k) {
    generators.push_back(Eigen::MatrixXd::NullaryExpr(3, 3, [&] { return normal(random); }));
  }
  const ApproximateRepresentation learned(group, generators);
  const auto plain = [&](const Word& word) {
    Eigen::MatrixXd product = Eigen::MatrixXd::Identity(3, 3);
    for (const int letter : word) {
      const auto k = static_cast<std::size_t>(std::abs(letter)) - 1;
      product = (product * (letter > 0 ? learned.generators() : learned.inverses())[k]).eval();
    }
    return product;
  };
  for (const Word& word : {Word{}, Word{1}, Word{-2}, Word{1, 1, 1, 1, 1}, Word{1, 2, 1, 2},
                           Word{1, -2, 2, 1}, Word{2, 1, 2, 1, 2, 1}, Word{1, 2, 2}}) {
    const Eigen::MatrixXd expected = plain(word);
    EXPECT_LT((learned.evaluate(word) - expected).norm(), 1e-9 * (1 + expected.norm()));
    EXPECT_NEAR(learned.trace(word), expected.trace(), 1e-9 * (1 + expected.norm()));
  }
  // traces() goes along other words of equal length, so only an exact representation can be
  // compared.
  const Representation exact = irreducible_representation(character_table(group), 4);
  std::vector<Eigen::MatrixXd> matrices;
  for (const Element s : group.generators()) matrices.push_back(exact.matrix(s));
  const std::vector<double> exact_traces = ApproximateRepresentation(group, matrices).traces();
  for (Element g = 0; g < group.order(); ++g) {
    EXPECT_NEAR(exact_traces[g], exact.trace(g).real(), 1e-9);
  }
}

// 2026-11-17: long algebra heard Ctrl-C only after five seconds.
TEST(LongAlgebra, StopsOnRequest) {
  const Group group = make_group("S6");
  const CharacterTable table = character_table(group);
  request_stop();
  EXPECT_THROW(make_group("C2^13"), Interrupted);
  EXPECT_THROW(make_group("(1,2,3,4,5,6,7);(1,2)"), Interrupted);
  EXPECT_THROW(make_group("SL(2,19)"), Interrupted);
  EXPECT_THROW(irreducible_representations(table), Interrupted);
  clear_stop();
  std::size_t calls = 0;
  irreducible_representations(table, [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_LT(done, total);
    ++calls;
  });
  EXPECT_EQ(calls, table.count());
}

}  // namespace
}  // namespace algprior
