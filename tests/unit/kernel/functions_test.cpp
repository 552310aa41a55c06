#include "../../kernels_for_now.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/adam.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/detail/augment.hpp"
#include "algprior/kernel/detail/latent.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "gradient_check.hpp"
#include "target_guard.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <torch/autograd.h>
#include <torch/utils.h>

namespace algprior {
namespace {

// rotate(θ) of the definition: u' = cosθ·u − sinθ·v, v' = sinθ·u + cosθ·v, by grid_sample.
at::Tensor rotate_reference(const at::Tensor& images, const at::Tensor& degrees) {
  const auto angle = degrees.to(at::kDouble) * (std::numbers::pi / 180.0);
  const auto height = images.size(1), width = images.size(2);
  const auto zero = torch::zeros_like(angle);
  // affine_grid works in coordinates scaled by half the side.
  const auto theta =
      torch::stack({torch::cos(angle), -torch::sin(angle) * (double(height) / double(width)), zero,
                    torch::sin(angle) * (double(width) / double(height)), torch::cos(angle), zero},
                   1)
          .view({-1, 2, 3});
  const auto grid = at::affine_grid_generator(theta, {images.size(0), 1, height, width}, false);
  return at::grid_sampler(images.to(at::kDouble).unsqueeze(1), grid, 0, 0, false).squeeze(1);
}

at::Tensor rotate(const at::Tensor& images, const at::Tensor& degrees) {
  auto out = torch::empty_like(images);
  rotate_planes(images.data_ptr<float>(), images.size(0), static_cast<int>(images.size(1)),
                static_cast<int>(images.size(2)), degrees.data_ptr<float>(), out.data_ptr<float>());
  return out;
}

at::Tensor move(const at::Tensor& images, const std::vector<ImageMotion>& motions) {
  auto out = torch::empty_like(images);
  move_planes(images.data_ptr<float>(), images.size(0), static_cast<int>(images.size(1)),
              motions.data(), out.data_ptr<float>());
  return out;
}

TEST(Augment, RotationIsGridSample) {
  torch::manual_seed(1);
  for (const auto& size : {std::pair{28, 28}, std::pair{13, 21}, std::pair{1, 5}}) {
    const auto images = torch::rand({9, size.first, size.second});
    const auto degrees = torch::rand({9}) * 800 - 400;
    const auto expected = rotate_reference(images, degrees);
    for (const auto target : hwy::SupportedAndGeneratedTargets()) {
      const TargetGuard guard(target);
      EXPECT_LT((rotate(images, degrees) - expected).abs().max().item<double>(), 1e-5)
          << hwy::TargetName(target);
    }
  }
}

TEST(Augment, ExactTurnsAndFlips) {
  const auto images = torch::rand({8, 28, 28});
  std::vector<ImageMotion> motions;
  std::vector<at::Tensor> expected;
  for (int i = 0; i < 8; ++i) {
    motions.push_back({0.0f, i % 4, i >= 4, false});
    const auto flipped = i >= 4 ? images[i].flip(1) : images[i];
    expected.push_back(torch::rot90(flipped, i % 4, {0, 1}));
  }
  EXPECT_TRUE(at::equal(move(images, motions), torch::stack(expected)));
}

TEST(Augment, ThereAndBackIsTwoRotations) {
  torch::manual_seed(2);
  const auto images = torch::rand({6, 28, 28});
  const auto angles = torch::rand({6}) * 360 - 180;
  std::vector<ImageMotion> motions;
  auto back = torch::empty({6});
  auto flipped = images.clone();
  for (int i = 0; i < 6; ++i) {
    motions.push_back({angles[i].item<float>(), i - 1, i % 2 == 1, true});
    back[i] = 90.0f * static_cast<float>(i - 1) - angles[i];
    if (i % 2 == 1) flipped[i] = images[i].flip(1);
  }
  const auto expected = rotate_reference(rotate_reference(flipped, angles), back);
  EXPECT_LT((move(images, motions) - expected).abs().max().item<double>(), 2e-5);
}

TEST(Augment, PairsOnACanvas) {
  torch::manual_seed(3);
  const auto digits = torch::randint(0, 256, {5, 28, 28}, at::kByte);
  const std::vector<std::int64_t> index = {3, 1, 4, 4};
  const std::vector<ImageMotion> first = {{}, {0, 1, false, false}, {30, 2, true, true}, {}};
  const std::vector<ImageMotion> second = {{0, 1, true, false}, {}, {-50, 1, false, true}, {}};
  auto x = torch::empty({2, 56, 56}), gx = torch::empty({2, 56, 56});
  const PairCanvas canvas;
  compose_pairs(canvas, digits.data_ptr<std::uint8_t>(), 5, index.data(), 2, first.data(),
                second.data(), x.data_ptr<float>(), gx.data_ptr<float>());
  auto images = digits.to(at::kFloat).index_select(0, torch::tensor(index)) / 255;
  for (const auto& [motions, got] : {std::pair{first, x}, std::pair{second, gx}}) {
    images = move(images, motions);
    auto expected = torch::zeros({2, 56, 56});
    for (int n = 0; n < 2; ++n)
      for (int half = 0; half < 2; ++half)
        expected[n].slice(0, 14, 42).slice(1, 28 * half, 28 * half + 28) = images[2 * n + half];
    expected = (expected - 0.06535) / 0.555068;
    EXPECT_LT((got - expected).abs().max().item<double>(), 1e-5);
  }
  EXPECT_THROW(compose_pairs(canvas, digits.data_ptr<std::uint8_t>(), 4, index.data(), 2,
                             first.data(), nullptr, x.data_ptr<float>(), nullptr),
               InputError);
}

TEST(Augment, RefusesAnglesThatAreNoNumbers) {
  const auto images = torch::rand({1, 4, 4});
  EXPECT_THROW(rotate(images, torch::full({1}, std::numeric_limits<float>::quiet_NaN())),
               InputError);
}

TEST(AveragePool, AgreesWithLibTorch) {
  const KernelsForNow scope(Kernels::native);
  torch::manual_seed(9);
  for (const auto& [size, kernel, stride, padding] :
       {std::tuple{27, 5, 2, 1}, std::tuple{9, 3, 1, 0}, std::tuple{7, 2, 3, 1},
        std::tuple{3, 5, 1, 1}})
    for (const int axes : {2, 3}) {
      Pool pool{{1, kernel, kernel}, {1, stride, stride}, {0, padding, padding}};
      std::vector<std::int64_t> shape = {2, 3, size, size};
      if (axes == 3) {
        pool = {{kernel, kernel, kernel}, {stride, stride, stride}, {padding, padding, padding}};
        shape.push_back(size);
      }
      const auto x = torch::randn(shape).requires_grad_();
      const auto ours = average_pool(x, pool);
      const auto expected = average_pool_torch(x, pool);
      ASSERT_EQ(ours.sizes(), expected.sizes());
      EXPECT_TRUE(at::allclose(ours, expected, 1e-5, 1e-6));
      const auto weights = torch::randn(ours.sizes());
      EXPECT_TRUE(at::allclose(torch::autograd::grad({(ours * weights).sum()}, {x})[0],
                               torch::autograd::grad({(expected * weights).sum()}, {x})[0], 1e-4,
                               1e-6));
    }
  EXPECT_THROW(average_pool(torch::randn({1, 1, 3, 3}), {{1, 5, 5}, {1, 1, 1}, {0, 0, 0}}),
               InputError);
}

struct LatentCase {
  at::Tensor z, zg, table, g;
};

LatentCase latent_case(at::ScalarType dtype) {
  torch::manual_seed(4);
  LatentCase c;
  c.z = torch::randn({7, 10}, at::kDouble).to(dtype).requires_grad_();
  c.zg = torch::randn({7, 10}, at::kDouble).to(dtype).requires_grad_();
  std::vector<at::Tensor> rows;
  for (int i = 0; i < 5; ++i) rows.push_back(torch::randperm(10));
  c.table = torch::stack(rows);
  c.g = torch::randint(0, 5, {7});
  return c;
}

TEST(Latent, LossAndGradientsAgree) {
  const KernelsForNow scope(Kernels::native);
  const auto ours = latent_case(at::kFloat);
  const auto loss = gather_equivariance_loss(ours.z, ours.zg, ours.table, ours.g);
  (loss * 3).backward();
  const auto reference = latent_case(at::kDouble);
  const auto expected =
      gather_equivariance_loss_torch(reference.z, reference.zg, reference.table, reference.g);
  (expected * 3).backward();
  EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-5 * expected.item<double>());
  EXPECT_TRUE(at::allclose(ours.z.grad().to(at::kDouble), reference.z.grad(), 1e-4, 1e-6));
  EXPECT_TRUE(at::allclose(ours.zg.grad().to(at::kDouble), reference.zg.grad(), 1e-4, 1e-6));
  const auto f = [&](const std::vector<at::Tensor>& v) {
    return gather_equivariance_loss(v[0], v[1], reference.table, reference.g);
  };
  EXPECT_LT(gradient_error(f, {reference.z, reference.zg}), 1e-7);
}

TEST(Latent, PlacesOfGridsMoveAlike) {
  const auto c = latent_case(at::kFloat);
  const auto x = torch::randn({7, 3, 2, 10}).requires_grad_();
  const auto out = gather_places(x, c.table, c.g);
  const auto weights = torch::randn(out.sizes());
  const auto ours = torch::autograd::grad({(out * weights).sum()}, {x})[0];
  const auto expected = gather_places_torch(x, c.table, c.g);
  EXPECT_TRUE(at::equal(out, expected));
  EXPECT_TRUE(at::equal(ours, torch::autograd::grad({(expected * weights).sum()}, {x})[0]));
}

TEST(Latent, RefusesWhatDoesNotFit) {
  const auto c = latent_case(at::kFloat);
  EXPECT_THROW(gather_equivariance_loss(c.z, c.zg.narrow(0, 0, 1), c.table, c.g), InputError);
  EXPECT_THROW(gather_places(c.z.narrow(1, 0, 9), c.table, c.g), InputError);
  EXPECT_THROW(gather_places(c.z, c.table, c.g + 5), InputError);
  EXPECT_THROW(gather_places(c.z, c.table + 1, c.g), InputError);
}

TEST(Latent, RefusesASecondDerivative) {
  const KernelsForNow scope(Kernels::native);
  const auto c = latent_case(at::kFloat);
  const auto loss = gather_equivariance_loss(c.z, c.zg, c.table, c.g);
  EXPECT_THROW(torch::autograd::grad({loss}, {c.z}, {}, true, true), InputError);
  EXPECT_NO_THROW(torch::autograd::grad({loss}, {c.z}, {}, true));
}

TEST(AdamStep, KernelAgreesWithItsTwinOnEveryInstructionSet) {
  torch::manual_seed(5);
  // Long enough for several threads, and no multiple of a vector.
  const std::int64_t size = 200003;
  for (const bool decoupled : {false, true}) {
    const AdamOptions options{1e-2, 0.9, 0.99, 1e-8, 0.1, decoupled};
    const auto gradients = torch::randn({3, size}, at::kDouble);
    const auto start = torch::randn({size}, at::kDouble);
    const auto run = [&](at::ScalarType dtype) {
      auto p = start.to(dtype, false, true);
      auto m = torch::zeros_like(p), v = torch::zeros_like(p);
      for (std::int64_t t = 0; t < 3; ++t)
        adam_step(options, t + 1, gradients[t].to(dtype), m, v, p);
      return torch::stack({p, m, v});
    };
    const auto expected = run(at::kDouble);
    for (const auto target : hwy::SupportedAndGeneratedTargets()) {
      const TargetGuard guard(target);
      const KernelsForNow scope(Kernels::native);
      const auto ours = run(at::kFloat);
      EXPECT_LT((ours - expected).abs().max().item<double>(), 1e-5) << hwy::TargetName(target);
      EXPECT_TRUE(at::equal(ours, run(at::kFloat)));
    }
  }
}

TEST(ShapeText, SaysWhatThereIs) {
  EXPECT_EQ(shape_text(at::zeros({3, 4, 4})), "3 x 4 x 4");
  EXPECT_EQ(shape_text(at::zeros({0})), "0");
  EXPECT_EQ(shape_text(at::zeros({})), "a single number");
  EXPECT_EQ(shape_text(at::Tensor()), "no tensor");
  EXPECT_EQ(shape_text(at::zeros({3, 4, 5}).sizes().slice(1)), "4 x 5");
}

}  // namespace
}  // namespace algprior
