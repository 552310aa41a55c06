#include "algprior/action/axis.hpp"
#include "algprior/action/latent.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/permute.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/resample.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/action/sphere.hpp"
#include "algprior/action/symmetry.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"
#include "algprior/rep/constructions.hpp"

#include <cmath>
#include <complex>

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

TEST(Action, OfYourOwnIsChecked) {
  const auto group = make_group("C2");
  const auto same = [](const at::Tensor&, const at::Tensor& x) { return x; };
  EXPECT_THROW(Action(group, "nothing", 0.0, {}), InputError);
  EXPECT_THROW(Action(group, "odd", -1e-9, same), InputError);
  EXPECT_THROW(Action(group, "odd", std::nan(""), same), InputError);
  EXPECT_TRUE(Action(group, "same", 0.0, same).exact());
  EXPECT_FALSE(Action(group, "about the same", 0.1, same).exact());
  for (const auto& x : {at::zeros({}), at::Tensor()}) {
    expect_all(message_of([&] { Action(group, "same", 0.0, same)(1, x); }), {"same", "unsqueeze"});
  }
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

TEST(Action, OnAPlaneOfYourOwnMovesRigidly) {
  const auto c2 = make_group("C2"), c4 = make_group("C4");
  Eigen::MatrixXd shear(2, 2), turn(2, 2);
  shear << 1, 1, 0, -1;
  turn << 0, -1, 1, 0;
  EXPECT_NO_THROW(planar_action(matrix_representation(c4, {turn})));
  EXPECT_THROW(planar_action(matrix_representation(c2, {shear})), InputError);
  EXPECT_THROW(planar_action(trivial_representation(c2)), InputError);
  EXPECT_THROW(volume_action(matrix_representation(c4, {turn})), InputError);
  const Eigen::MatrixXcd phase = Eigen::Vector2cd(std::complex<double>(0, 1), 1).asDiagonal();
  EXPECT_THROW(planar_action(complex_matrix_representation(c4, {phase})), InputError);
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
  EXPECT_THROW(make_permutation_table({}), InputError);
  EXPECT_THROW(make_permutation_table(at::arange(3)), InputError);
  expect_all(message_of([] { make_permutation_table(at::ones({1, 3}, at::kLong)); }), {"0 … 2"});
  const auto table = make_permutation_table(at::tensor({0, 1, 1, 0}, at::kLong).view({2, 2}));
  const auto g = at::tensor({0, 1}, at::kLong);
  const auto x = at::arange(4, at::kFloat).view({2, 2});
  EXPECT_TRUE(
      at::equal(permute_places(table, g, x), at::tensor({0.F, 1.F, 3.F, 2.F}).view({2, 2})));
  expect_all(message_of([&] {
               permute_places(table, g, at::zeros({2, 5}));
             }),
             {"last dimension 5", "last dimension 2"});
  expect_all(message_of([&] { permute_places(table, g, at::zeros({2})); }), {"last dimension 0"});
  expect_all(message_of([&] { permute_places(table, g, {}); }), {"last dimension 0"});
  for (const auto& wrong : {g + 1, g - 1, g.narrow(0, 0, 1), g.view({2, 1}), g.to(at::kInt)}) {
    EXPECT_THROW(permute_places(table, wrong, x), InputError);
  }
  EXPECT_THROW(permute_places(table, {}, x), InputError);
}

TEST(Action, SampleNumbersAreAnIntegerVector) {
  const auto group = make_group("C3");
  const RandomKey key(1, "test");
  EXPECT_THROW(sample_elements(group, -1, key), InputError);
  EXPECT_THROW(sample_elements(group, at::Tensor(), key), InputError);
  EXPECT_THROW(sample_elements(group, at::zeros({2}), key), InputError);
  EXPECT_THROW(sample_elements(group, at::zeros({2, 1}, at::kLong), key), InputError);
  EXPECT_EQ(sample_elements(group, 0, key).numel(), 0);
}

TEST(Action, OnAnAxisFindsItsAxis) {
  const auto c4 = make_group("C4");
  const auto cycle = defining_representation(c4);
  EXPECT_THROW(axis_action(cycle, -1), InputError);
  const auto action = axis_action(cycle, 1);
  const auto x = at::arange(2 * 3 * 4 * 2, at::kFloat).view({2, 3, 4, 2});
  const auto g = at::tensor({1, 2}, at::kLong);
  const auto rolled = at::stack({x[0].roll(1, 1), x[1].roll(2, 1)});
  EXPECT_TRUE(at::equal(action(g, x), rolled));
  EXPECT_THROW(action(g, x.narrow(2, 0, 3)), InputError);
  EXPECT_THROW(action(g, at::zeros({2, 4})), InputError);
  EXPECT_EQ(action(g, at::zeros({2, 3, 4})).dim(), 3);
}

TEST(Action, OnASphereWantsItsGrid) {
  const auto group = make_group("cube");
  const auto cube = mesh::cube_map_grid(8);
  EXPECT_THROW(sphere_action(group, cube, -1), InputError);
  EXPECT_THROW(sphere_action(group, cube, 4), InputError);
  EXPECT_THROW(sphere_action(group, cube, 12), InputError);
  EXPECT_THROW(sphere_action(group, mesh::cube_map_grid(12), 3), InputError);
  EXPECT_NO_THROW(sphere_action(group, cube, 3)(1, at::zeros({1, 2, 6, 1, 1})));
  const auto action = sphere_action(group, cube);
  EXPECT_NO_THROW(action(1, at::zeros({1, 2, 6, 8, 8})));
  EXPECT_THROW(action(1, at::zeros({1, 2, 6, 8, 4})), InputError);
  EXPECT_THROW(action(1, at::zeros({1, 6, 8, 8})), InputError);
  expect_all(message_of([&] { action(1, at::zeros({1, 2, 5, 8, 8})); }), {"N x C x 6 x 8 x 8"});
  EXPECT_NE(sphere_action(group, cube, 1).name().find("halved 1 times"), std::string::npos);
  EXPECT_EQ(action.name().find("halved"), std::string::npos);
  const auto flat = flat_action(regular_representation(make_group("C4")), 6);
  EXPECT_NO_THROW(flat(1, at::zeros({1, 2, 3, 2})));
  EXPECT_THROW(flat(1, at::zeros({1, 2, 3, 3})), InputError);
  EXPECT_THROW(flat(1, at::zeros({1, 12})), InputError);
}

TEST(Action, ImagesToResampleAreChecked) {
  const auto x = at::rand({2, 1, 4, 4});
  const auto same = at::eye(2).expand({2, 2, 2});
  EXPECT_TRUE(at::allclose(resample(x, same, Resampling::nearest), x));
  EXPECT_THROW(resample(x, same, Resampling::none), InputError);
  EXPECT_THROW(resample(x, at::Tensor(), Resampling::nearest), InputError);
  EXPECT_THROW(resample(x, same.narrow(0, 0, 1), Resampling::nearest), InputError);
  EXPECT_THROW(resample(x, at::eye(3).expand({2, 3, 3}), Resampling::nearest), InputError);
  EXPECT_THROW(resample(x.to(at::kLong), same, Resampling::nearest), InputError);
  EXPECT_THROW(resample(x[0], same, Resampling::nearest), InputError);
  const auto degrees = at::zeros({2});
  EXPECT_THROW(rotate(x, at::Tensor(), Resampling::nearest), InputError);
  EXPECT_THROW(rotate(x, at::zeros({3}), Resampling::nearest), InputError);
  EXPECT_THROW(rotate(x, at::zeros({2, 1}), Resampling::nearest), InputError);
  EXPECT_THROW(rotate(x.unsqueeze(2), degrees, Resampling::nearest), InputError);  // a volume
  EXPECT_TRUE(at::equal(rotate(x, degrees, Resampling::nearest), x));
  const auto which = at::tensor({1, 0}).to(at::kBool);
  EXPECT_TRUE(at::equal(flip_horizontally(x, which), at::stack({x[0].flip({-1}), x[1]})));
  EXPECT_THROW(flip_horizontally(x, at::zeros({3}, at::kBool)), InputError);
  EXPECT_THROW(flip_horizontally(x, at::zeros({2})), InputError);
  EXPECT_THROW(flip_horizontally(x, which.view({2, 1})), InputError);
  EXPECT_THROW(flip_horizontally(x, {}), InputError);
  EXPECT_THROW(flip_horizontally({}, which), InputError);
}

TEST(Action, DefectsLookAtSomePairsOfALargeGroup) {
  // Wrong at one pair of a hundred elements only: all pairs find it, and few need not.
  const auto group = make_group("C10");
  std::int64_t calls = 0;
  const Action counted(group, "counted", 0.0, [&](const at::Tensor& g, const at::Tensor& x) {
    ++calls;
    return x + g.eq(7).unsqueeze(1).to(x.scalar_type());
  });
  EXPECT_GT(action_defect(counted, at::zeros({1, 3}), 100), 0.5);
  EXPECT_EQ(calls, 300);
  calls = 0;
  action_defect(counted, at::zeros({1, 3}), 99);
  EXPECT_EQ(calls, 297);
  EXPECT_EQ(action_defect(trivial_action(group), at::zeros({0, 3})), 0.0);
  const Action shrinks(group, "shrinks", 0.0,
                       [](const at::Tensor&, const at::Tensor& x) { return x.narrow(1, 0, 1); });
  EXPECT_THROW(action_defect(shrinks, at::zeros({1, 3})), InputError);
  const Action breaks(group, "breaks", 0.0, [](const at::Tensor& g, const at::Tensor& x) {
    return at::where(g.eq(3).unsqueeze(1), NAN, x);
  });
  EXPECT_TRUE(std::isnan(action_defect(breaks, at::zeros({1, 3}))));
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
  // Of the right order, with one factor right.
  const auto c2 = make_group("C2");
  EXPECT_THROW(stacked_action(make_group("C8xC2"), {planar_action(d4), planar_action(c2)}),
               InputError);
  EXPECT_THROW(stacked_action(make_group("C2xC8"), {planar_action(c2), planar_action(d4)}),
               InputError);
  const auto product = make_group("D4xD4");
  const auto parts = planar_parts(product);
  EXPECT_THROW(canvas_action(product, parts, {{0, 0, 4, 4}, {0, 3, 4, 4}}), InputError);
  EXPECT_THROW(canvas_action(product, parts, {{0, 0, 4, 4}}), InputError);
  EXPECT_THROW(canvas_action(product, parts, {{0, 0, 4, 4}, {3, 0, 4, 4}}), InputError);
  for (const auto& other : {Box{4, 0, 4, 4}, Box{0, 4, 4, 4}}) {  // they touch, in either order
    EXPECT_NO_THROW(canvas_action(product, parts, {{0, 0, 4, 4}, other}));
    EXPECT_NO_THROW(canvas_action(product, parts, {other, {0, 0, 4, 4}}));
  }
  for (const auto& bad : {Box{-1, 0, 4, 4}, Box{0, -1, 4, 4}, Box{9, 9, 0, 4}, Box{9, 9, 4, 0}}) {
    EXPECT_THROW(canvas_action(product, parts, {{20, 20, 4, 4}, bad}), InputError);
  }
  EXPECT_THROW(stacked_action(product, {}), InputError);
  EXPECT_THROW(stacked_action(product, parts)(0, at::zeros({1, 3, 1, 4, 4})), InputError);
  EXPECT_THROW(stacked_action(product, parts)(0, at::zeros({1})), InputError);
  EXPECT_THROW(join_elements({}, {}), InputError);
  EXPECT_THROW(join_elements(factors(product), {at::zeros({1}, at::kLong)}), InputError);
  const auto canvas = canvas_action(product, parts, {{0, 0, 4, 4}, {0, 4, 4, 4}});
  EXPECT_NE(canvas.name().find("action of D4xD4 on parts of a canvas"), std::string::npos);
  EXPECT_NO_THROW(canvas(0, at::zeros({1, 1, 4, 8})));
  for (const auto& shape : {std::vector<std::int64_t>{1, 1, 3, 8}, {1, 1, 4, 7}, {1, 4, 8}}) {
    expect_all(message_of([&] { canvas(0, at::zeros(shape)); }), {"leaves the canvas"});
  }
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
  EXPECT_THROW(make_symmetry(planar_action(d4), trivial_action(d4),
                             {latent, trivial_action(make_group("C4"))}),
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
