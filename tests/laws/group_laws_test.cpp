#include "group_laws.hpp"

#include "algprior/group/catalogue.hpp"
#include "algprior/group/homomorphism.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/permutation.hpp"
#include "algprior/group/product.hpp"

#include <string>

namespace algprior {
namespace {

using laws::GroupLaws;

// Every row of the catalogue: its groups of order up to 120, the first twelve of them and the last.
TEST(CatalogueGroups, KeepTheLaws) {
  constexpr unsigned kFirst = 12;
  for (const CatalogueEntry& row : catalogue()) {
    if (!row.numbered) {
      GroupLaws(make_group(row.example)).check_all();
      continue;
    }
    unsigned last = row.smallest;
    for (unsigned i = 0; row.order(row.smallest + i * row.step) <= 120; ++i) {
      last = row.smallest + i * row.step;
      if (i < kFirst) GroupLaws(row.build(last, {})).check_all();
    }
    GroupLaws(row.build(last, {})).check_all();
  }
}

class GroupOf : public testing::TestWithParam<const char*> {};

TEST_P(GroupOf, KeepsTheLaws) {
  GroupLaws(make_group(GetParam())).check_all();
}

INSTANTIATE_TEST_SUITE_P(Products, GroupOf,
                         testing::Values("C2^3", "C2^7", "D4xD4", "D1xD1", "C4xC4", "S3xQ8",
                                         "C7:C3", "C8:5C2", "SL(2,3)", "GL(2,3)", "PSL(2,7)",
                                         "SL(2,4)", "C13:C4", "C2wrS3", "C3wrC3", "S3wrC2",
                                         "(C2xC2)wrC2", "Q8wrC2", "C2wrV4", "OhxC2", "C2 × D3"));

INSTANTIATE_TEST_SUITE_P(Texts, GroupOf,
                         testing::Values("(1,2,3,4);(1,2)", "(1,2)(3,4);(1,3)(2,4);()", "()",
                                         "<r,s | r^4, s^2, (r*s)^2>",
                                         "<a,b | a^2, b^3, (a*b)^7, [a,b]^4>",
                                         "<a,b,c | a^b = c, b^c = a, c^a = b, a^2>", "<a | a>",
                                         "[[0,1,2],[1,2,0],[2,0,1]]"));

INSTANTIATE_TEST_SUITE_P(Large, GroupOf,
                         testing::Values("S6", "S7", "A7", "D500", "C10000", "C100xC100",
                                         "D8xD8xD8",
                                         "(1,2,3,4,5,6,7,8,9,10,11);(3,7,11,8)(4,10,5,6)",
                                         "<a,b | a^2, b^3, (a*b)^7, [a,b]^8>"));

Permutation random_permutation(std::size_t degree, std::mt19937& random) {
  Permutation p(degree);
  std::iota(p.begin(), p.end(), 0u);
  for (std::size_t i = degree - 1; i > 0; --i) std::swap(p[i], p[random() % (i + 1)]);
  return p;
}

TEST(RandomPermutationGroups, KeepTheLaws) {
  std::mt19937 random(7);
  int checked = 0;
  while (checked < 60) {
    const std::size_t degree = 2 + random() % 5, count = 1 + random() % 3;
    std::vector<Permutation> generators;
    for (std::size_t i = 0; i < count; ++i)
      generators.push_back(random_permutation(degree, random));
    GroupLaws(group_from_permutations(generators)).check_all();
    ++checked;
  }
}

// Subgroups and quotients of random subgroups are groups, and Lagrange's theorem holds.
TEST(RandomSubgroupsAndQuotients, KeepTheLaws) {
  std::mt19937 random(11);
  for (const char* name : {"S5", "D4xD4", "Oh", "C2wrS3", "Q16"}) {
    const Group group = make_group(name);
    for (int i = 0; i < 6; ++i) {
      const auto draw = [&] { return static_cast<Element>(random() % group.order()); };
      const Subgroup subgroup = generated_subgroup(group, {draw(), draw()});
      EXPECT_EQ(group.order() % subgroup.order(), 0u);
      EXPECT_EQ(left_cosets(subgroup).size(), subgroup.index());
      const Homomorphism embedded = inclusion(subgroup);
      GroupLaws(embedded.source).check_all();
      const Homomorphism projection = quotient(normal_closure(group, {draw()}));
      GroupLaws(projection.target).check_all();
      for (Element g = 0; g < group.order(); ++g) {
        const Element h = draw();
        EXPECT_EQ(projection(group.multiply(g, h)),
                  projection.target.multiply(projection(g), projection(h)));
      }
    }
  }
}

}  // namespace
}  // namespace algprior
