#include "algprior/data/image_pairs.hpp"

#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

at::Tensor ramp_images(std::int64_t count) {
  return (at::arange(count * 2 * 6 * 6) * 37 % 251).to(at::kByte).reshape({count, 2, 6, 6});
}

at::Tensor numbers(std::int64_t count) {
  return at::arange(count, at::kLong);
}

TEST(ImagePairs, APartnerIsTheImageMovedByItsElement) {
  const Action action = planar_action(make_group("D4"));
  const auto images = ramp_images(40);
  const auto data = make_image_pairs("test", images, numbers(40), action,
                                     {.first = {}, .second = {}, .mean = 0.5, .deviation = 0.25});
  const Batch batch = data.get(numbers(40), RandomKey(1, "pairs"));
  EXPECT_TRUE(at::equal(batch.gx, action(batch.g, batch.x)));
  EXPECT_TRUE(at::equal(batch.y, numbers(40)));
  EXPECT_TRUE(at::equal(batch.gy, batch.y));
  const auto sorted = [](const at::Tensor& t) { return std::get<0>(t.flatten(1).sort(1)); };
  EXPECT_TRUE(at::allclose(sorted(batch.x), sorted((images.to(at::kFloat) / 255 - 0.5) / 0.25)));
}

TEST(ImagePairs, ElementsFollowTheirWeights) {
  const Action action = planar_action(make_group("D3"), Resampling::bilinear);
  // x is flipped or not; g is s, r or r² with ½, ¼, ¼ and never e, rs or r²s.
  const auto data =
      make_image_pairs("test", ramp_images(4000), numbers(4000), action,
                       {.first = {1, 0, 0, 1, 0, 0}, .second = {0, 0.25, 0.25, 0.5, 0, 0}});
  const Batch batch = data.get(numbers(4000), RandomKey(2, "pairs"));
  const auto counts = at::bincount(batch.g, {}, 6);
  const auto count = [&](int g) { return counts[g].item<std::int64_t>(); };
  EXPECT_EQ(count(0) + count(4) + count(5), 0);
  EXPECT_NEAR(static_cast<double>(count(3)), 2000, 150);
  EXPECT_NEAR(static_cast<double>(count(1)), 1000, 130);
}

TEST(ImagePairs, ASampleDoesNotDependOnItsBatch) {
  const Action action = planar_action(make_group("C4"));
  const auto data = make_image_pairs("test", ramp_images(20), numbers(20), action,
                                     {.first = {}, .second = {0, 1, 1, 1}});
  const RandomKey key(3, "pairs");
  const Batch all = data.get(numbers(20), key);
  const Batch one = data.get(at::full({1}, 13, at::kLong), key);
  EXPECT_TRUE(at::equal(one.gx[0], all.gx[13]));
  EXPECT_EQ(all.g.eq(0).sum().item<std::int64_t>(), 0);
}

TEST(ImagePairs, RefusesWhatDoesNotFit) {
  const Action action = planar_action(make_group("C4"));
  EXPECT_THROW(make_image_pairs("t", ramp_images(3).to(at::kFloat), numbers(3), action),
               InputError);
  EXPECT_THROW(make_image_pairs("t", ramp_images(3), numbers(2), action), InputError);
  EXPECT_THROW(make_image_pairs("t", ramp_images(3), numbers(3), action, {.first = {1, 1}}),
               InputError);
  EXPECT_THROW(make_image_pairs("t", ramp_images(3), numbers(3), action, {.second = {0, 0, 0, 0}}),
               InputError);
  EXPECT_THROW(make_image_pairs("t", ramp_images(3), numbers(3), action, {.second = {1, -1, 1, 1}}),
               InputError);
}

}  // namespace
}  // namespace algprior
