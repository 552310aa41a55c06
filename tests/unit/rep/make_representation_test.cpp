#include "algprior/rep/make_representation.hpp"

#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/irreps.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

void expect_equal(const Representation& a, const Representation& b) {
  ASSERT_EQ(a.dimension(), b.dimension());
  for (Element g = 0; g < a.group().order(); ++g) {
    EXPECT_LT((a.matrix(g) - b.matrix(g)).norm(), 1e-12) << "element " << g;
  }
}

TEST(MakeRepresentation, SumsCopiesAndTensorProductsAreTheConstructions) {
  const Group group = make_group("D3");
  const auto regular = regular_representation(group);
  const auto defining = defining_representation(group);
  const auto sign = sign_representation(group);
  expect_equal(make_representation(group, "regular"), regular);
  expect_equal(make_representation(group, " 2*defining + sign"),
               direct_sum({copies(defining, 2), sign}));
  expect_equal(make_representation(group, "defining @ sign + trivial"),
               direct_sum({tensor_product(defining, sign), trivial_representation(group)}));
  expect_equal(make_representation(group, "2*(regular+trivial)"),
               copies(direct_sum({regular, trivial_representation(group)}), 2));
  EXPECT_TRUE(make_representation(group, "3*regular + 2*trivial").is_permutation());
}

TEST(MakeRepresentation, OuterProductsFollowTheFactors) {
  const Group d4 = make_group("D4"), c3 = make_group("C3");
  const Group product = direct_product(d4, c3);
  expect_equal(
      make_representation(product, "defining#regular"),
      outer_tensor_product(product, defining_representation(d4), regular_representation(c3)));
  const auto own = make_representation(make_group("D4xD4"),
                                       "4*(regular#trivial) + 4*(trivial#regular) + 2*trivial");
  EXPECT_EQ(own.dimension(), 66U);
  EXPECT_TRUE(own.is_permutation());
  EXPECT_EQ(homomorphism_defect(own), 0.0);
  // Three factors, and a sum for one of them.
  EXPECT_EQ(
      make_representation(make_group("C2xC3xC5"), "regular#(regular+trivial)#trivial").dimension(),
      8U);
}

TEST(MakeRepresentation, IrreducibleOnesAreThoseOverTheReals) {
  const Group group = make_group("Q8");
  const auto all = real_irreducible_representations(character_table(group));
  for (std::size_t i = 0; i < all.size(); ++i) {
    expect_equal(make_representation(group, "irrep" + std::to_string(i)), all[i].representation);
  }
  EXPECT_THROW(make_representation(group, "irrep" + std::to_string(all.size())), InputError);
}

struct BadText {
  const char* group;
  const char* text;
  const char* said;
};

TEST(MakeRepresentation, MessagesPointAtTheColumn) {
  for (const BadText& bad :
       {BadText{"D4", "", "column 1"}, BadText{"D4", "regulr", "regular"},
        BadText{"D4", "2*", "column 3"}, BadText{"D4", "regular +", "column"},
        BadText{"D4", "0*regular", "column 1"}, BadText{"D4", "(regular", "\")\""},
        BadText{"D4", "regular trivial", "column 9"},
        BadText{"D4", "regular#trivial", "direct products"},
        BadText{"D4xD4", "regular#trivial#sign", "2 representations"},
        BadText{"D4xD4", "trivial + (regular#nothing)", "column 20"},
        BadText{"D4", "irrepx", "irrep0"}, BadText{"D4", "irrep-1", "column"}}) {
    try {
      make_representation(make_group(bad.group), bad.text);
      ADD_FAILURE() << bad.text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(bad.said), std::string::npos)
          << bad.text << ": " << error.what();
    }
  }
}

TEST(MakeRepresentation, WideOnesAreRefusedWithTheirDimension) {
  const Group group = make_group("D4");
  EXPECT_THROW(make_representation(group, "1000000*regular"), LimitError);
  EXPECT_EQ(make_representation(group, "1048576*trivial").dimension(), kMostTextDimension);
  EXPECT_THROW(make_representation(group, "1048576*trivial + trivial"), LimitError);
  EXPECT_THROW(
      make_representation(group, "regular@regular@regular@regular@regular@regular@regular"),
      LimitError);
  EXPECT_THROW(make_representation(group, std::string(5000, ' ')), LimitError);
  EXPECT_THROW(make_representation(group, std::string(200, '(') + "regular"), InputError);
}

}  // namespace
}  // namespace algprior
