// The conventions of the published experiments, each as a test that the wrong one fails.
#include "algprior/action/latent.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/symmetry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

at::Tensor image(std::int64_t side) {
  return at::arange(side * side, at::kFloat).reshape({1, 1, side, side});
}

// D4's element r^k s^f.
Element d4(int k, int f) {
  return static_cast<Element>(4 * f + k);
}

TEST(Conventions, ActionsAreLeftActions) {
  const auto group = make_group("cube");
  const auto x = at::arange(27, at::kFloat).reshape({1, 1, 3, 3, 3});
  EXPECT_EQ(action_defect(volume_action(group), x), 0.0);
  // Reading at ρ(g)p instead of ρ(g)⁻¹p is a right action.
  const auto right = Action(group, "pull-back", 0.0, [&](const at::Tensor& g, const at::Tensor& v) {
    auto inverse = g.clone();
    for (std::int64_t n = 0; n < g.numel(); ++n) {
      inverse[n] =
          static_cast<std::int64_t>(group.inverse(static_cast<Element>(g[n].item<std::int64_t>())));
    }
    return volume_action(group)(inverse, v);
  });
  EXPECT_GT(action_defect(right, x), 0.5);
  EXPECT_EQ(opposite_defect(right, x), 0.0);
}

TEST(Conventions, LatentGathersWithTheInverse) {
  const auto group = make_group("D4");
  const auto action = latent_action(regular_representation(group), 8);
  const auto z = at::arange(8, at::kFloat).reshape({1, 8});
  for (Element g = 0; g < 8; ++g) {
    const auto out = action(g, z);
    for (Element k = 0; k < 8; ++k) {
      const auto source = group.multiply(group.inverse(g), k);
      EXPECT_EQ(out[0][k].item<float>(), static_cast<float>(source));
    }
  }
  // ρ(g) e_h = e_{gh}
  const auto r = d4(1, 0);
  const auto s = d4(0, 1);
  EXPECT_EQ(action(r, at::eye(8).narrow(0, s, 1)).argmax().item<std::int64_t>(), d4(1, 1));
  EXPECT_EQ(action(s, at::eye(8).narrow(0, r, 1)).argmax().item<std::int64_t>(), d4(3, 1));
}

TEST(Conventions, FlipFirstThenTurn) {
  const auto action = planar_action(make_group("D4"));
  const auto x = image(4);
  const auto expected = at::rot90(x.flip({3}), 1, {2, 3});
  EXPECT_TRUE(at::equal(action(d4(1, 1), x), expected));
  EXPECT_FALSE(at::equal(at::rot90(x, 1, {2, 3}).flip({3}), expected));
  for (int k = 0; k < 4; ++k) {
    for (int f = 0; f < 2; ++f) {
      const auto flipped = f == 1 ? x.flip({3}) : x;
      EXPECT_TRUE(at::equal(action(d4(k, f), x), at::rot90(flipped, k, {2, 3})));
    }
  }
}

TEST(Conventions, TurnsAreCounterClockwise) {
  const auto x = image(5);
  const auto turned = planar_action(make_group("C4"))(1, x);
  EXPECT_TRUE(at::equal(turned, at::rot90(x, 1, {2, 3})));
  // out[i, j] = in[j, W−1−i]
  EXPECT_EQ(turned[0][0][0][1].item<float>(), x[0][0][1][4].item<float>());
  const auto degrees = at::full({1}, 90.0);
  EXPECT_TRUE(at::allclose(rotate(x, degrees, Resampling::bilinear), turned, 0, 1e-4));
  EXPECT_TRUE(at::equal(rotate(x, degrees, Resampling::nearest), turned));
  EXPECT_FALSE(at::allclose(rotate(x, -degrees, Resampling::bilinear), turned, 0, 1.0));
}

TEST(Conventions, ResamplingReadsThePixelCentresOfTheSpecification) {
  // By hand: output (row 0, column 1) of a 3×3 image turned by 30°.
  const auto x = image(3);
  const double c = std::cos(3.14159265358979 / 6);
  const double s = 0.5;
  const double u = 0.0;
  const double v = -1.0;
  const double column = c * u - s * v + 1.0;
  const double row = s * u + c * v + 1.0;
  double expected = 0.0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double weight =
          std::max(0.0, 1.0 - std::abs(row - i)) * std::max(0.0, 1.0 - std::abs(column - j));
      expected += weight * x[0][0][i][j].item<double>();
    }
  }
  const auto turned = rotate(x, at::full({1}, 30.0), Resampling::bilinear);
  EXPECT_NEAR(turned[0][0][0][1].item<double>(), expected, 1e-5);
  // Corners outside the image contribute 0: a white image darkens at its corners only.
  const auto white = rotate(at::ones({1, 1, 9, 9}), at::full({1}, 45.0), Resampling::bilinear);
  EXPECT_NEAR(white[0][0][4][4].item<double>(), 1.0, 1e-6);
  EXPECT_EQ(white[0][0][0][0].item<double>(), 0.0);
}

TEST(Conventions, MapsByNumberResampleAsMapsByImageDo) {
  const auto maps = at::linspace(-1.0, 1.0, 12, at::kDouble).reshape({3, 2, 2});
  const auto map_of = at::arange(8).remainder(3);
  for (const std::int64_t images : {2, 3, 8}) {  // fewer than maps, as many, more
    const auto x = at::linspace(0.0, 1.0, images * 2 * 5 * 7).reshape({images, 2, 5, 7});
    const auto which = map_of.narrow(0, 0, images);
    for (const auto mode : {Resampling::bilinear, Resampling::nearest}) {
      EXPECT_TRUE(at::equal(resample(x, maps, which, mode),
                            resample(x, maps.index_select(0, which), mode)));
    }
  }
}

TEST(Conventions, LeftDigitIsTheSlowIndex) {
  const auto product = make_group("D4xD4");
  const auto parts = planar_parts(product);
  const auto action = canvas_action(product, parts, {{0, 0, 4, 4}, {0, 4, 4, 4}});
  const auto x = at::arange(32, at::kFloat).reshape({1, 1, 4, 8});
  const auto moved = action(8 * d4(1, 0) + d4(0, 1), x);
  EXPECT_TRUE(at::equal(moved.narrow(3, 0, 4), at::rot90(x.narrow(3, 0, 4), 1, {2, 3})));
  EXPECT_TRUE(at::equal(moved.narrow(3, 4, 4), x.narrow(3, 4, 4).flip({3})));
  // ρ_{G×H} = ρ_G ⊗ ρ_H in the same order.
  const auto latent = latent_action(regular_representation(product), 64);
  const auto one = latent_action(regular_representation(make_group("D4")), 8);
  const auto a = at::rand({1, 8});
  const auto b = at::rand({1, 8});
  const auto outer = at::matmul(a.reshape({8, 1}), b.reshape({1, 8})).reshape({1, 64});
  const auto left = one(d4(1, 0), a).reshape({8, 1});
  const auto right = one(d4(0, 1), b).reshape({1, 8});
  EXPECT_TRUE(
      at::equal(latent(8 * d4(1, 0) + d4(0, 1), outer), at::matmul(left, right).reshape({1, 64})));
}

TEST(Conventions, TrivialPaddingIsLast) {
  const auto product = make_group("D4xD4");
  const auto action = latent_action(regular_representation(product), 66);
  const auto z = at::arange(66, at::kFloat).reshape({1, 66});
  for (const Element g : {1U, 9U, 63U}) {
    const auto out = action(g, z);
    EXPECT_TRUE(at::equal(out.narrow(1, 64, 2), z.narrow(1, 64, 2)));
    EXPECT_FALSE(at::equal(out.narrow(1, 0, 2), z.narrow(1, 0, 2)));
  }
  // Copies are consecutive blocks: 4 of 16 and 2 fixed coordinates for C4×C4.
  const auto c4 = make_group("C4xC4");
  const auto blocks = latent_action(regular_representation(c4), 66)(5, z);
  for (std::int64_t copy = 0; copy < 4; ++copy) {
    const auto block = blocks.narrow(1, 16 * copy, 16) - 16.0 * static_cast<double>(copy);
    EXPECT_TRUE(at::equal(block, blocks.narrow(1, 0, 16)));
  }
}

TEST(Conventions, TheFlipGroupIsD1) {
  const auto x = image(4);
  EXPECT_TRUE(at::equal(planar_action(make_group("D1"))(1, x), x.flip({3})));
  EXPECT_TRUE(at::equal(planar_action(make_group("C2"))(1, x), x.flip({2, 3})));
}

TEST(Conventions, VerticesFollowTheImage) {
  // Corners TR = 0, TL = 1, BL = 2, BR = 3: a mark in a corner goes where the defining permutation
  // says.
  const auto group = make_group("D4");
  const auto action = planar_action(group);
  const auto defining = defining_representation(group);
  const std::array<std::pair<int, int>, 4> corners = {{{0, 3}, {0, 0}, {3, 0}, {3, 3}}};
  for (Element g = 0; g < 8; ++g) {
    const auto permutation = defining.permutation(g);
    for (std::size_t v = 0; v < 4; ++v) {
      auto x = at::zeros({1, 1, 4, 4});
      x[0][0][corners[v].first][corners[v].second] = 1.0;
      const auto [row, column] = corners[permutation[v]];
      EXPECT_EQ(action(g, x)[0][0][row][column].item<float>(), 1.0F);
    }
  }
}

}  // namespace
}  // namespace algprior
