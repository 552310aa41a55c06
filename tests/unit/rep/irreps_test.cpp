#include "algprior/rep/irreps.hpp"

#include "../../laws/representation_laws.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

// Orders near 2,000 of different kinds: many small, few large, and large with a multiplicity above
// 1 on every cyclic subgroup.
class IrrepsOf : public testing::TestWithParam<const char*> {};

TEST_P(IrrepsOf, AreFoundAtOrdersNearTwoThousand) {
  const Group group = make_group(GetParam());
  const CharacterTable table = character_table(group);
  const auto irreps = irreducible_representations(table);
  ASSERT_EQ(irreps.size(), table.count());
  for (std::size_t i = 0; i < irreps.size(); i += 1 + irreps.size() / 20) {
    laws::RepresentationLaws(irreps[i]).homomorphism();
    const auto character = irreps[i].character();
    for (std::size_t c = 0; c < character.size(); ++c) {
      EXPECT_LE(std::abs(character[c] - table.value(i, c)), 1e-10);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Large, IrrepsOf,
                         testing::Values("C2000", "D1000", "Dic500", "C41:C40", "Q8xQ8xQ8",
                                         "S4xS4xC3", "A5xS4", "S6xC2", "C2wrA5", "Q8wrC2",
                                         "D4xD4xD4xC3", "C3wrC5", "D3wrC4", "A7"));

TEST(Irreps, TypesOfQ8AndC3) {
  const auto quaternion = real_irreducible_representations(character_table(make_group("Q8")));
  ASSERT_EQ(quaternion.size(), 5u);
  EXPECT_EQ(quaternion.back().type, RealType::kQuaternionic);
  EXPECT_EQ(quaternion.back().representation.dimension(), 4u);
  const auto turn = real_irreducible_representations(character_table(make_group("C3")));
  ASSERT_EQ(turn.size(), 2u);
  EXPECT_EQ(turn.back().type, RealType::kComplex);
  EXPECT_EQ(turn.back().representation.dimension(), 2u);
}

TEST(Irreps, AreTheSameEveryTimeAndOneByOne) {
  const CharacterTable table = character_table(make_group("C7:C3"));
  const auto all = irreducible_representations(table);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Representation one = irreducible_representation(table, i);
    for (Element s : table.group().generators()) {
      EXPECT_EQ(one.complex_matrix(s), all[i].complex_matrix(s)) << i;
    }
  }
  EXPECT_THROW(irreducible_representation(table, all.size()), InputError);
}

}  // namespace
}  // namespace algprior
