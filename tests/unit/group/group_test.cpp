#include "algprior/group/group.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(Group, DihedralProductFollowsItsRule) {
  for (const unsigned n : {1u, 2u, 3u, 4u, 7u}) {
    const Group group = make_group("D" + std::to_string(n));
    ASSERT_EQ(group.order(), 2 * n);
    for (Element g = 0; g < 2 * n; ++g) {
      for (Element h = 0; h < 2 * n; ++h) {
        const Element k1 = g % n, f1 = g / n, k2 = h % n, f2 = h / n;
        const Element k = (f1 == 0 ? k1 + k2 : k1 + n - k2) % n;
        EXPECT_EQ(group.multiply(g, h), n * ((f1 + f2) % 2) + k);
      }
    }
  }
}

TEST(Group, ProductIndexIsLeftSlow) {
  const Group d4 = make_group("D4"), c3 = make_group("C3");
  const Group product = direct_product(d4, c3);
  EXPECT_EQ(product.order(), 24u);
  EXPECT_EQ(product.generator_names(), (std::vector<std::string>{"r1", "s1", "r2"}));
  for (Element g = 0; g < 24; ++g) {
    for (Element h = 0; h < 24; ++h) {
      EXPECT_EQ(product.multiply(g, h), d4.multiply(g / 3, h / 3) * 3 + c3.multiply(g % 3, h % 3));
    }
  }
}

TEST(Group, LargeGroupsMultiplyAsTheirFactors) {
  const Group c100 = make_group("C100");
  const Group product = direct_product(c100, c100);
  for (Element i = 0; i < 4000; ++i) {
    const Element g = i * 7919 % 10000, h = i * 6007 % 10000;
    const Element expected = (g / 100 + h / 100) % 100 * 100 + (g + h) % 100;
    ASSERT_EQ(product.multiply(g, h), expected);
  }
}

TEST(Group, KnownClasses) {
  EXPECT_EQ(make_group("D4").classes().count(), 5u);
  EXPECT_EQ(make_group("S5").classes().count(), 7u);
  EXPECT_EQ(make_group("A5").classes().count(), 5u);
  EXPECT_EQ(make_group("I").classes().count(), 5u);
  EXPECT_EQ(make_group("Oh").classes().count(), 10u);
  EXPECT_EQ(make_group("(1,2,3,4,5,6,7,8,9,10,11);(3,7,11,8)(4,10,5,6)").classes().count(), 10u);
}

TEST(Group, IndexOutsideIsRefused) {
  const Group group = make_group("C4");
  EXPECT_THROW(group.multiply(0, 4), InputError);
  EXPECT_THROW(group.inverse(4), InputError);
  EXPECT_THROW(group.evaluate({2}), InputError);
}

// 2026-11: actions of two groups made from one name refused to compose.
TEST(Group, TwoMadeFromOneNameAreEqual) {
  for (const char* name : {"D4", "C2xC3", "S4", "cube", "<r,s | r^4, s^2, (r*s)^2>"}) {
    EXPECT_TRUE(make_group(name) == make_group(name)) << name;
  }
  EXPECT_FALSE(make_group("C4") == make_group("C2xC2"));
  EXPECT_FALSE(make_group("C6") == make_group("S3"));
  EXPECT_FALSE(make_group("D4") == make_group("Q8"));
}

}  // namespace
}  // namespace algprior
