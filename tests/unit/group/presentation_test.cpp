#include "algprior/group/presentation.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/coset_enumeration.hpp"
#include "algprior/group/make_group.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

std::string refusal_of(const char* text) {
  try {
    parse_presentation(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Presentation, OperatorsAreWrittenOut) {
  const auto relators = [](const char* text) { return parse_presentation(text).relators; };
  EXPECT_EQ(relators("<a,b | a^3>"), (std::vector<Word>{{1, 1, 1}}));
  EXPECT_EQ(relators("<a,b | a^-2>"), (std::vector<Word>{{-1, -1}}));
  EXPECT_EQ(relators("<a,b | a^(-2)>"), (std::vector<Word>{{-1, -1}}));
  EXPECT_EQ(relators("<a,b | [a,b]>"), (std::vector<Word>{{-1, -2, 1, 2}}));
  EXPECT_EQ(relators("<a,b | b*a^b>"), (std::vector<Word>{{1, 2}}));
  EXPECT_EQ(relators("<a,b | (a*b^-1)^2>"), (std::vector<Word>{{1, -2, 1, -2}}));
  EXPECT_EQ(relators("<a,b | (a b)^-1>"), (std::vector<Word>{{-2, -1}}));
  EXPECT_EQ(relators("<a,b | a^2 = b^3>"), (std::vector<Word>{{1, 1, -2, -2, -2}}));
  EXPECT_EQ(relators("<a,b | a^2 = b^3 = 1>"), (std::vector<Word>{{1, 1}, {2, 2, 2}}));
  EXPECT_EQ(relators("<a,b | a^2^2, e, b*b^-1>"), (std::vector<Word>{{1, 1, 1, 1}}));
  EXPECT_EQ(relators("<a,b,c | [a,b,c]>").front().size(), 10u);
  EXPECT_TRUE(relators("< x_1 | >").empty());
}

TEST(Presentation, TextIsReadBack) {
  for (const char* text : {"<r,s | r^4, s^2, (r*s)^2>", "<a,b | [a,b], a^2*b^-3>", "<a |>"}) {
    const Presentation once = parse_presentation(text);
    EXPECT_EQ(to_string(once), text);
    EXPECT_EQ(parse_presentation(to_string(once)).relators, once.relators);
  }
}

TEST(Presentation, SyntaxErrorsPointAtTheirColumn) {
  EXPECT_NE(refusal_of("<r,s | r^^4>").find("column 10"), std::string::npos);
  EXPECT_NE(refusal_of("<r,s | r^4, t>").find("column 13"), std::string::npos);
  EXPECT_NE(refusal_of("<r,s | r^4").find("column 11"), std::string::npos);
  EXPECT_NE(refusal_of("<r,r | r^4>").find("column 4"), std::string::npos);
  EXPECT_NE(refusal_of("<r | (r>").find("column 8"), std::string::npos);
  EXPECT_NE(refusal_of("<r | r> x").find("column 9"), std::string::npos);
  EXPECT_NE(refusal_of("<r,s | (rs)^2>").find("r*s"), std::string::npos);
  EXPECT_NE(refusal_of("<r | r^2>\n\n>").find("column 12"), std::string::npos);
}

TEST(Presentation, LongWordsAndDeepBracketsAreRefused) {
  EXPECT_THROW(parse_presentation("<a | a^999999999>"), LimitError);
  EXPECT_THROW(parse_presentation("<a | ((a^1000)^1000)^1000>"), LimitError);
  EXPECT_THROW(parse_presentation("<a | " + std::string(100'000, '(')), InputError);
}

TEST(CosetEnumeration, KnownOrders) {
  const std::vector<std::pair<const char*, std::size_t>> known{
      {"<a | a^10000>", 10000},
      {"<a,b | a^2, b^3, (a*b)^5>", 60},
      {"<a,b | a^2, b^3, (a*b)^7, [a,b]^8>", 10752},
      {"<a,b | a^4 = b^4 = (a*b)^4 = (a^-1*b)^4 = (a^2*b)^4 = (a*b^2)^4 = (a^2*b^2)^4 = "
       "(a^-1*b*a*b)^4 = (a*b^-1*a*b)^4 = 1>",
       4096},  // the Burnside group B(2,4)
      {"<a,b,c | a^b = b^-1*a*b*c, b^c = b, c^a = c, a, b>", 1},
      {"<a,b | b*a*b^-1 = a^2, a*b*a^-1 = b^2>", 1},  // Higman's two generators: trivial
      {"<x,y | x^2 = y^3 = (x*y)^5, x^4>", 120},      // the binary icosahedral group
  };
  for (const auto& [text, order] : known) {
    EXPECT_EQ(group_from_presentation(parse_presentation(text)).order(), order) << text;
  }
}

TEST(CosetEnumeration, IndexOfASubgroup) {
  const Presentation p = parse_presentation("<a,b | a^2, b^3, (a*b)^7, [a,b]^8>");
  EXPECT_EQ(enumerate_cosets(p, {{1, 2}}).count, 10752u / 7);
  EXPECT_EQ(enumerate_cosets(p, {{1}, {2}}).count, 1u);
}

TEST(CosetEnumeration, WorksInATableThatHasToBeClearedOnTheWay) {
  // Needs 119,586 definitions in all; 60,000 rows suffice with lookahead.
  GroupLimits limits;
  limits.max_cosets = 60'000;
  const Presentation p = parse_presentation("<a,b | a^2, b^3, (a*b)^7, [a,b]^8>");
  EXPECT_EQ(enumerate_cosets(p, {}, limits).count, 10752u);
}

TEST(CosetEnumeration, InfiniteGroupsStopAtTheBound) {
  GroupLimits limits;
  limits.max_cosets = 5000;
  try {
    make_group("<a,b | a^2, b^3, (a*b)^7>", limits);
    FAIL();
  } catch (const LimitError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("max_cosets = 5000"), std::string::npos);
    EXPECT_NE(text.find("raise max_cosets"), std::string::npos);
  }
  EXPECT_THROW(make_group("<a,b | a^2>"), LimitError);  // seen from the abelianisation
  EXPECT_THROW(make_group("<a,b | [a,b], a*b^-1>"), LimitError);
}

// Exponents whose determinants pass every integer: nothing is said of the abelianisation.
TEST(CosetEnumeration, AnAbelianisationTooLargeToTellIsNotCalledInfinite) {
  constexpr int kGenerators = 24;
  Presentation p;
  for (int i = 0; i < kGenerators; ++i) {
    p.generators.push_back("a" + std::to_string(i));
    Word word;
    for (int j = 0; j < kGenerators; ++j) {
      const int exponent = (7 * i * i + 11 * i * j + 13 * j * j + i + 1) % 19 - 9;
      for (int k = 0; k < std::abs(exponent); ++k) word.push_back(exponent < 0 ? -j - 1 : j + 1);
    }
    p.relators.push_back(word);
  }
  GroupLimits limits;
  limits.max_cosets = 1000;
  try {
    group_from_presentation(p, limits);
    FAIL();
  } catch (const LimitError& error) {
    EXPECT_EQ(std::string(error.what()).find("infinite group"), std::string::npos);
  }
}

TEST(DerivedPresentation, PresentsTheGroupWithFewRelators) {
  for (const char* name : {"C12", "D4", "D30", "S3", "S4", "S5", "A5", "Q8", "cube", "Oh", "I"}) {
    const Group group = make_group(name);
    const Presentation derived = derive_presentation(group);
    EXPECT_EQ(enumerate_cosets(derived).count, group.order()) << name;
    EXPECT_LE(derived.relators.size(), 6u) << name;
    for (const Word& relator : derived.relators) EXPECT_EQ(group.evaluate(relator), 0u) << name;
  }
  EXPECT_EQ(to_string(derive_presentation(make_group("D4"))), "<r,s | r^4, s^2, (r*s)^2>");
  // Short relators are tried first.
  EXPECT_EQ(to_string(derive_presentation(make_group("S5"))),
            "<r,s | r^5, s^2, (r*s^-1)^4, (s*r^-2*s*r^2)^2>");
  EXPECT_EQ(to_string(derive_presentation(make_group("PSL(2,7)"))),
            "<t,w | t^7, w^2, (t*w^-1)^3, (w*t^3)^4>");
}

TEST(Words, ReductionAndPeriod) {
  EXPECT_EQ(cyclically_reduced({1, 2, -2, 3, -1}), (Word{3}));
  EXPECT_EQ(cyclically_reduced({1, -1}), Word{});
  EXPECT_EQ(cyclically_reduced({1, 1}), (Word{1, 1}));
  EXPECT_EQ(period({1, 2, 1, 2}), 2u);
  EXPECT_EQ(period({1, 2, 1}), 3u);
  EXPECT_EQ(period({4, 4, 4}), 1u);
}

}  // namespace
}  // namespace algprior
