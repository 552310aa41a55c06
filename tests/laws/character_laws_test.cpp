#include "character_laws.hpp"

#include "algprior/group/catalogue.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/permutation.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace algprior {
namespace {

using laws::CharacterTableLaws;

class CharactersOf : public testing::TestWithParam<const char*> {};

TEST_P(CharactersOf, KeepTheLaws) {
  CharacterTableLaws(make_group(GetParam())).check_all();
}

INSTANTIATE_TEST_SUITE_P(Products, CharactersOf,
                         testing::Values("C2^3", "C2^6", "C3^3", "C4xC6", "D4xD4", "S3xC3", "Q8xC5",
                                         "Q8xQ8", "A4xS3", "C7:C3", "C8:5C2", "SL(2,3)", "GL(2,3)",
                                         "PSL(2,7)", "C2wrC3", "C3wrC3", "C2wrS3", "C2wrS4",
                                         "S3wrC2", "D4xD4xC3"));

INSTANTIATE_TEST_SUITE_P(Presentations, CharactersOf,
                         testing::Values("<a,b | a^2, b^3, (a*b)^7, [a,b]^4>",       // PSL(2,7)
                                         "<a,b | a^4, b^4, a^2 = b^2, a^b = a^-1>",  // Q8
                                         "<a,b | a^8, b^2, a^b = a^3>",              // semidihedral
                                         "<a,b | a^3, b^3, [a,b]^3, [a,[a,b]], [b,[a,b]]>",
                                         "<a,b | a^9, b^3, a^b = a^4>",
                                         "<a,b | a^11, b^5, a^b = a^3>",
                                         "<a,b | a^2, b^3, (a*b)^5>"));

INSTANTIATE_TEST_SUITE_P(Large, CharactersOf,
                         testing::Values("D500", "S7", "Dic100", "D8xD8",
                                         "(1,2,3,4,5,6,7,8,9,10,11);(3,7,11,8)(4,10,5,6)"));

// Every row of the catalogue: its smallest groups, and its largest of order 120 or less.
TEST(CatalogueGroups, KeepTheLaws) {
  constexpr unsigned kSmallest = 10;
  for (const CatalogueEntry& row : catalogue()) {
    if (!row.numbered) {
      CharacterTableLaws(make_group(row.example)).check_all();
      continue;
    }
    unsigned largest = row.smallest;
    for (unsigned i = 0; row.order(row.smallest + i * row.step) <= 120; ++i) {
      largest = row.smallest + i * row.step;
      if (i < kSmallest) CharacterTableLaws(row.build(largest, {})).check_all();
    }
    CharacterTableLaws(row.build(largest, {})).check_all();
  }
}

// Two or three random permutations of few points, kept when the group is not too large.
TEST(RandomPermutationGroups, KeepTheLaws) {
  std::mt19937 random(5);
  int checked = 0;
  for (int trial = 0; trial < 400 && checked < 60; ++trial) {
    const std::size_t degree = 4 + random() % 7;
    // A random block structure keeps most groups from being all of S_n or A_n.
    const std::size_t block = 2 + random() % 3;
    std::vector<Permutation> generators(2 + random() % 2, Permutation(degree));
    for (Permutation& p : generators) {
      std::iota(p.begin(), p.end(), 0u);
      for (std::size_t start = 0; start < degree; start += block) {
        const auto end = std::min(degree, start + block);
        std::shuffle(p.begin() + static_cast<std::ptrdiff_t>(start),
                     p.begin() + static_cast<std::ptrdiff_t>(end), random);
      }
    }
    const Group group = group_from_permutations(generators);
    if (group.order() > 600) continue;
    CharacterTableLaws(group).check_all();
    ++checked;
  }
  EXPECT_EQ(checked, 60);
}

}  // namespace
}  // namespace algprior
