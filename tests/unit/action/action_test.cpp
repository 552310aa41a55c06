#include "algprior/action/latent.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/permute.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/action/symmetry.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace algprior {
namespace {

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_all(const std::string& text, std::initializer_list<const char*> parts) {
  for (const auto* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(Action, RefusesElementsThatDoNotFit) {
  const auto action = trivial_action(make_group("D4"));
  const auto x = at::zeros({3, 2});
  EXPECT_THROW(action(at::zeros({2}, at::kLong), x), InputError);
  EXPECT_THROW(action(at::zeros({3}), x), InputError);
  EXPECT_THROW(action(at::zeros({3, 1}, at::kLong), x), InputError);
  EXPECT_THROW(action(at::zeros({}), at::zeros({})), InputError);
  expect_all(message_of([&] { action(at::full({3}, 8, at::kLong), x); }), {"8", "0 to 7", "D4"});
  expect_all(message_of([&] { action(at::full({3}, -1, at::kLong), x); }), {"-1"});
}

TEST(Action, OffGridGroupsSayHowToAllowResampling) {
  expect_all(message_of([] { planar_action(make_group("D3")); }), {"D3", "Resampling::bilinear"});
  expect_all(message_of([] { planar_action(make_group("S4")); }), {"S4", "matrix_representation"});
  expect_all(message_of([] { volume_action(make_group("I")); }), {"I", "Oh"});
  const auto c4 = planar_action(make_group("C4"));
  expect_all(message_of([&] { c4(1, at::zeros({1, 1, 4, 5})); }), {"4 x 5", "square"});
  EXPECT_THROW(c4(1, at::zeros({1, 4, 4})), InputError);
  // A flip needs no square, and a resampled turn neither.
  EXPECT_NO_THROW(planar_action(make_group("D1"))(1, at::zeros({1, 1, 4, 5})));
  EXPECT_NO_THROW(planar_action(make_group("C4"), Resampling::bilinear)(1, at::ones({1, 1, 4, 5})));
}

TEST(Action, ResamplingKeepsGridElementsExact) {
  const auto x = at::rand({1, 1, 6, 6});
  const auto c8 = planar_action(make_group("C8"), Resampling::bilinear);
  EXPECT_TRUE(at::equal(c8(2, x), at::rot90(x, 1, {2, 3})));
  EXPECT_FALSE(at::equal(c8(1, x), x));
}

TEST(Action, LatentSpaceTooSmallNamesWhatFits) {
  const auto group = make_group("D4xD4");
  expect_all(message_of([&] { latent_action(regular_representation(group), 48); }),
             {"64", "48", "defining (dimension 16)"});
  expect_all(message_of([&] { latent_action(regular_representation(group), 8); }), {"trivial"});
  EXPECT_THROW(latent_action(regular_representation(group), 66)(0, at::zeros({2, 65})), InputError);
}

TEST(Action, GatherAndDenseAgreeExactly) {
  for (const auto* name : {"C4", "D4", "S4", "D4xD4"}) {
    const auto group = make_group(name);
    const auto regular = regular_representation(group);
    const auto z = at::randn({50, 66});
    const auto g = sample_elements(group, 50, RandomKey(3, "test"));
    const auto gather = latent_action(regular, 66)(g, z);
    EXPECT_TRUE(at::equal(gather, latent_action(regular, 66, LatentPath::dense)(g, z))) << name;
  }
}

TEST(Action, GradientOfAPermutationIsItsInverse) {
  const auto group = make_group("D4");
  const auto action = planar_action(group);
  const auto x = torch::rand({8, 1, 4, 4}, torch::requires_grad());
  const auto weight = torch::rand({8, 1, 4, 4});
  const auto g = at::arange(8, at::kLong);
  (action(g, x) * weight).sum().backward();
  auto inverse = g.clone();
  for (std::int64_t n = 0; n < 8; ++n)
    inverse[n] = static_cast<std::int64_t>(group.inverse(static_cast<Element>(n)));
  EXPECT_TRUE(at::equal(x.grad(), action(inverse, weight)));
}

TEST(Action, ResamplingIsDifferentiable) {
  const auto action = planar_action(make_group("C3"), Resampling::bilinear);
  const auto x = torch::rand({2, 1, 5, 5}, torch::requires_grad());
  const auto weight = torch::rand({2, 1, 5, 5});
  const auto g = at::tensor({1, 2}, at::kLong);
  (action(g, x) * weight).sum().backward();
  // Linear in x: the gradient is the same everywhere, and one difference quotient is exact.
  auto moved = x.detach().clone();
  moved[0][0][1][3] += 1.0;
  const auto difference = ((action(g, moved) - action(g, x.detach())) * weight).sum();
  EXPECT_NEAR(x.grad()[0][0][1][3].item<double>(), difference.item<double>(), 1e-5);
}

TEST(Action, PermutationTablesAreChecked) {
  EXPECT_THROW(make_permutation_table(at::zeros({2, 3}, at::kLong)), InputError);
  EXPECT_THROW(make_permutation_table(at::zeros({2, 3})), InputError);
}

TEST(Action, SampledElementsFollowTheSampleNotTheBatch) {
  const auto group = make_group("D4");
  const RandomKey key(1, "elements");
  const auto all = sample_elements(group, 1000, key);
  const auto some = sample_elements(group, at::tensor({7, 500, 3}, at::kLong), key);
  EXPECT_TRUE(at::equal(some, all.index_select(0, at::tensor({7, 500, 3}, at::kLong))));
  EXPECT_FALSE(at::equal(all, sample_elements(group, 1000, RandomKey(2, "elements"))));
  const auto counts = at::bincount(all, {}, 8);
  EXPECT_EQ(counts.size(0), 8);
  // 125 expected, standard deviation 10.5.
  EXPECT_GT(counts.min().item<std::int64_t>(), 75);
  EXPECT_LT(counts.max().item<std::int64_t>(), 175);
}

TEST(Action, PartsMustMakeUpTheProduct) {
  const auto d4 = make_group("D4");
  EXPECT_THROW(stacked_action(make_group("D4xC4"), {planar_action(d4), planar_action(d4)}),
               InputError);
  EXPECT_THROW(
      stacked_action(make_group("C4xD4"), {planar_action(d4), planar_action(make_group("C4"))}),
      InputError);
  const auto product = make_group("D4xD4");
  const auto parts = planar_parts(product);
  EXPECT_THROW(canvas_action(product, parts, {{0, 0, 4, 4}, {0, 3, 4, 4}}), InputError);
  EXPECT_THROW(canvas_action(product, parts, {{0, 0, 4, 4}}), InputError);
  EXPECT_THROW(
      canvas_action(product, parts, {{0, 0, 4, 4}, {0, 4, 4, 4}})(0, at::zeros({1, 1, 4, 7})),
      InputError);
}

TEST(Action, ElementsSplitAndJoin) {
  const std::vector<Group> factors = {make_group("D4"), make_group("C3"), make_group("C2")};
  const auto g = at::arange(48, at::kLong);
  const auto split = split_elements(factors, g);
  EXPECT_EQ(split[0][47].item<std::int64_t>(), 7);
  EXPECT_EQ(split[1][5].item<std::int64_t>(), 2);
  EXPECT_TRUE(at::equal(join_elements(factors, split), g));
}

TEST(Action, SymmetryWantsOneGroup) {
  const auto d4 = make_group("D4");
  const auto latent = latent_action(regular_representation(d4), 8);
  EXPECT_EQ(make_symmetry(planar_action(d4), trivial_action(d4), {latent}).latents.size(), 1U);
  EXPECT_THROW(make_symmetry(planar_action(d4), trivial_action(make_group("C4")), {latent}),
               InputError);
  EXPECT_THROW(compose(planar_action(d4), planar_action(make_group("C4"))), InputError);
}

TEST(Action, LabelsOutsideTheRepresentationAreRefused) {
  const auto labels = label_action(defining_representation(make_group("D4")));
  EXPECT_THROW(labels(1, at::full({1}, 4, at::kLong)), InputError);
  EXPECT_THROW(labels(1, at::zeros({1})), InputError);
}

}  // namespace
}  // namespace algprior
