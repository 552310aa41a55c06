#include "algprior/group/subgroup.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/homomorphism.hpp"
#include "algprior/group/make_group.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(Subgroups, OfD4) {
  const Group d4 = make_group("D4");
  EXPECT_EQ(center(d4).elements, (std::vector<Element>{0, 2}));
  EXPECT_EQ(derived_subgroup(d4).elements, (std::vector<Element>{0, 2}));
  EXPECT_EQ(generated_subgroup(d4, {4}).elements, (std::vector<Element>{0, 4}));
  EXPECT_EQ(normal_closure(d4, {4}).elements, (std::vector<Element>{0, 2, 4, 6}));
  EXPECT_EQ(normalizer(generated_subgroup(d4, {4})).order(), 4u);
  EXPECT_EQ(centralizer(d4, 1).elements, (std::vector<Element>{0, 1, 2, 3}));
  EXPECT_EQ(exponent(d4), 4u);
  EXPECT_EQ(normal_subgroups(d4).size(), 6u);
  EXPECT_EQ(subgroup_classes(d4).size(), 8u);
  EXPECT_THROW(generated_subgroup(d4, {8}), InputError);
}

// Known counts: normal subgroups, classes of subgroups, subgroups.
TEST(Subgroups, KnownCounts) {
  struct Known {
    const char* name;
    std::size_t normal, classes, all;
  };
  for (const Known& known : {Known{"S4", 4, 11, 30}, Known{"A5", 2, 9, 59}, Known{"S5", 3, 19, 156},
                             Known{"C2^4", 67, 67, 67}, Known{"Q8", 6, 6, 6}, Known{"C12", 6, 6, 6},
                             Known{"A6", 2, 22, 501}}) {
    const Group group = make_group(known.name);
    EXPECT_EQ(normal_subgroups(group).size(), known.normal) << known.name;
    const auto classes = subgroup_classes(group);
    EXPECT_EQ(classes.size(), known.classes) << known.name;
    std::size_t all = 0;
    for (const auto& entry : classes) {
      all += entry.size;
      EXPECT_EQ(entry.size, normalizer(entry.representative).index()) << known.name;
    }
    EXPECT_EQ(all, known.all) << known.name;
  }
  EXPECT_THROW(normal_subgroups(make_group("C2^5"), 50), LimitError);
}

TEST(Cosets, PartitionTheGroup) {
  const Group s4 = make_group("S4");
  const Subgroup h = generated_subgroup(s4, {s4.generators()[1]});
  for (const auto& cosets : {left_cosets(h), right_cosets(h)}) {
    EXPECT_EQ(cosets.size(), 12u);
    EXPECT_EQ(cosets.front(), h.elements);
    std::size_t sum = 0;
    for (const auto& coset : cosets) sum += coset.size();
    EXPECT_EQ(sum, 24u);
  }
  EXPECT_NE(left_cosets(h), right_cosets(h));
}

TEST(Homomorphisms, AreCheckedAgainstTheRelators) {
  const Group d4 = make_group("D4"), c2 = make_group("C2");
  const Homomorphism sign = make_homomorphism(d4, c2, {0, 1});
  EXPECT_EQ(kernel(sign).elements, (std::vector<Element>{0, 1, 2, 3}));
  EXPECT_EQ(image(sign).order(), 2u);
  EXPECT_THROW(make_homomorphism(d4, make_group("C4"), {1, 0}), InputError);
  EXPECT_THROW(make_homomorphism(d4, c2, {0}), InputError);
  try {
    make_homomorphism(make_group("C3"), c2, {1});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("r^3"), std::string::npos);
  }
}

TEST(Quotients, NeedANormalSubgroup) {
  const Group d4 = make_group("D4");
  const Homomorphism projection = quotient(center(d4));
  EXPECT_TRUE(find_isomorphism(projection.target, make_group("V4")).has_value());
  EXPECT_EQ(kernel(projection).elements, center(d4).elements);
  EXPECT_THROW(quotient(generated_subgroup(d4, {4})), InputError);
  EXPECT_EQ(quotient(derived_subgroup(make_group("S5"))).target.order(), 2u);
}

TEST(Isomorphism, OfDifferentDescriptions) {
  const auto isomorphic = [](const char* a, const char* b) {
    return find_isomorphism(make_group(a), make_group(b)).has_value();
  };
  EXPECT_TRUE(isomorphic("D3", "S3"));
  EXPECT_TRUE(isomorphic("cube", "S4"));
  EXPECT_TRUE(isomorphic("Td", "S4"));
  EXPECT_TRUE(isomorphic("T", "A4"));
  EXPECT_TRUE(isomorphic("I", "A5"));
  EXPECT_TRUE(isomorphic("Ih", "A5xC2"));
  EXPECT_TRUE(isomorphic("Oh", "S4xC2"));
  EXPECT_TRUE(isomorphic("C2xC3", "C6"));
  EXPECT_TRUE(isomorphic("D2", "V4"));
  EXPECT_TRUE(isomorphic("D6", "S3xC2"));
  EXPECT_TRUE(isomorphic("C2^6", "C2^6"));
  EXPECT_FALSE(isomorphic("D4", "Q8"));
  EXPECT_FALSE(isomorphic("C4xC2", "C2^3"));
  EXPECT_FALSE(isomorphic("Ih", "S5"));
  EXPECT_FALSE(isomorphic("Td", "Th"));
  EXPECT_FALSE(isomorphic("C4xC4", "C4:C2xC2"));
  // The two non-abelian groups of order 27 and exponent 3 and 9, and orders 16 with equal order
  // statistics.
  EXPECT_FALSE(isomorphic("<a,b | a^4, b^4, a^b = a^-1>", "<a,b | a^4, b^4, [a,b]>"));
  EXPECT_FALSE(isomorphic("C4xC4xC2", "<a,b,c | a^4,b^4,c^2,[a,b],[a,c],b^c = b*a^2>"));
}

TEST(Isomorphism, TheMapIsOne) {
  const Group a = make_group("Oh"), b = make_group("C2wrS3");
  const auto map = find_isomorphism(a, b);
  ASSERT_TRUE(map.has_value());
  std::vector<bool> hit(48, false);
  for (Element g = 0; g < 48; ++g) {
    hit[(*map)(g)] = true;
    for (Element h = 0; h < 48; ++h) {
      EXPECT_EQ((*map)(a.multiply(g, h)), b.multiply((*map)(g), (*map)(h)));
    }
  }
  EXPECT_EQ(std::count(hit.begin(), hit.end(), true), 48);
}

}  // namespace
}  // namespace algprior
