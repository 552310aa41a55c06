#include "algprior/data/moved_pairs.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/rep/constructions.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

// Off-centre blobs that vanish outside the inscribed disc or ball.
at::Tensor blobs(std::int64_t count, std::int64_t dimensions, std::int64_t side) {
  const double centre = 0.5 * static_cast<double>(side - 1);
  std::vector<at::Tensor> images;
  for (std::int64_t i = 0; i < count; ++i) {
    auto squares = at::zeros({side}, at::kDouble);
    for (std::int64_t axis = 0; axis < dimensions; ++axis) {
      const double at_axis = centre + (axis == 0 ? 3.0 : axis == 1 ? -2.0 : 1.0 + 0.5 * double(i));
      const auto offset = (at::arange(side, at::kDouble) - at_axis).square();
      squares = axis == 0 ? offset : squares.unsqueeze(-1) + offset;
    }
    images.push_back((255 * (-squares / 18.0).exp()).round().to(at::kByte));
  }
  return at::stack(images).unsqueeze(1);
}

TEST(MovedPairs, RotationsAreRotationsAndFollowTheSampleAlone) {
  for (const std::int64_t d : {2, 3}) {
    const auto all = random_rotations(d, at::arange(200, at::kLong), RandomKey(3, "rotations"));
    const auto product = at::bmm(all, all.transpose(1, 2)) - at::eye(d, at::kDouble);
    EXPECT_LT(product.abs().max().item<double>(), 1e-12);
    EXPECT_NEAR(at::linalg_det(all).min().item<double>(), 1.0, 1e-12);
    // Uniform: the mean of a uniform rotation is 0; 200 samples deviate by about 1/√(200·d).
    EXPECT_LT(all.mean(0).abs().max().item<double>(), 0.2);
    const auto some = at::tensor({7, 130}, at::kLong);
    EXPECT_TRUE(
        at::equal(random_rotations(d, some, RandomKey(3, "rotations")), all.index_select(0, some)));
  }
}

TEST(MovedPairs, QuarterTurnsAreThoseOfTheActions) {
  const auto quarter = [](const Group& group, const Action& action, std::int64_t dimensions) {
    const auto images = blobs(1, dimensions, 20);
    const auto matrices = motion_matrices(group, dimensions);
    const auto whole = images.to(at::kFloat).div(255.0);
    const auto cut = move_images(whole, matrices.slice(0, 0, 1));  // the identity cuts alone
    for (Element g = 0; g < group.order(); ++g) {
      const auto moved = move_images(whole, matrices.slice(0, g, g + 1));
      EXPECT_LT((moved - action(g, cut)).abs().max().item<double>(), 1e-5) << "element " << g;
    }
  };
  quarter(make_group("D4"), planar_action(make_group("D4")), 2);
  quarter(make_group("Oh"), volume_action(make_group("Oh")), 3);
}

TEST(MovedPairs, PartnersAreMovedByOneElementMore) {
  const Group group = make_group("C8");
  const Dataset data = make_moved_pairs("blobs", blobs(6, 2, 40), at::arange(6, at::kLong), group);
  const auto indices = at::arange(6, at::kLong);
  const Batch batch = data.get(indices, RandomKey(1, "pairs"));
  const auto again = planar_action(group, Resampling::bilinear)(batch.g, batch.x);
  // Twice resampled beside once.
  EXPECT_LT((again - batch.gx).abs().max().item<double>(), 0.06);
  EXPECT_GT((batch.x - batch.gx).abs().max().item<double>(), 0.3);
  EXPECT_TRUE(at::equal(batch.y, batch.gy));
  EXPECT_TRUE(
      at::equal(data.get(indices.slice(0, 2, 4), RandomKey(1, "pairs")).x, batch.x.slice(0, 2, 4)));
}

TEST(MovedPairs, LabelsMoveWithTheirAction) {
  const Group group = make_group("D4");
  const auto labels = at::arange(40, at::kLong) % 2;
  const Action relabel =
      label_action(permutation_representation(group, {Permutation{0, 1}, Permutation{1, 0}}));
  const Dataset data = make_moved_pairs("blobs", blobs(40, 2, 8), labels, group, relabel);
  const Batch batch = data.get(at::arange(40, at::kLong), RandomKey(1, "labels"));
  EXPECT_TRUE(at::equal(batch.y, labels));
  EXPECT_TRUE(at::equal(batch.gy, relabel(batch.g, labels)));
  EXPECT_FALSE(at::equal(batch.gy, labels));
}

TEST(MovedPairs, RefuseGroupsThatDoNotActAndWrongShapes) {
  const auto images = blobs(2, 2, 8);
  const auto labels = at::arange(2, at::kLong);
  EXPECT_THROW(make_moved_pairs("x", images, labels, make_group("cube")), InputError);
  EXPECT_THROW(make_moved_pairs("x", images, labels, make_group("S4")), InputError);
  EXPECT_THROW(make_moved_pairs("x", blobs(2, 3, 8), labels, make_group("C4")), InputError);
  EXPECT_THROW(make_moved_pairs("x", images, at::arange(3, at::kLong), make_group("C4")),
               InputError);
}

}  // namespace
}  // namespace algprior
