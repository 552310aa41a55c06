#include "algprior/base/error.hpp"
#include "algprior/kernel/augment.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/flat_adam.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/kernel/latent.hpp"
#include "gradient_check.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <torch/torch.h>

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
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      EXPECT_LT((rotate(images, degrees) - expected).abs().max().item<double>(), 1e-5)
          << hwy::TargetName(target);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
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
  const KernelsScope scope(Kernels::native);
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
  const KernelsScope scope(Kernels::native);
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

// Ten steps of the given optimizer on a small regression; returns the parameters.
template <class Step>
std::vector<at::Tensor> train(std::vector<at::Tensor> parameters, const Step& step) {
  torch::manual_seed(6);
  const auto x = torch::randn({8, 5}), y = torch::randn({8, 3});
  for (int i = 0; i < 10; ++i)
    step([&] { torch::mse_loss(x.mm(parameters[0]) + parameters[1], y).backward(); });
  return parameters;
}

std::vector<at::Tensor> fresh_parameters() {
  torch::manual_seed(5);
  auto weight = torch::randn({5, 3}), bias = torch::randn({3});
  return {weight.requires_grad_(), bias.requires_grad_()};
}

TEST(FlatAdam, IsLibTorchsAdamAndAdamW) {
  for (const auto choice : {Kernels::native, Kernels::torch})
    for (const bool decoupled : {false, true}) {
      const KernelsScope scope(choice);
      auto ours = fresh_parameters();
      FlatAdam flat({{{ours[0]}, {1e-2, 0.9, 0.999, 1e-8, 0.1, decoupled}},
                     {{ours[1]}, {3e-3, 0.8, 0.99, 1e-8, 0.0, decoupled}}});
      train(ours, [&](const auto& backward) {
        flat.zero_gradients();
        backward();
        flat.step();
      });
      auto theirs = fresh_parameters();
      std::unique_ptr<torch::optim::Optimizer> optimizer;
      using Groups = std::vector<torch::optim::OptimizerParamGroup>;
      if (decoupled) {
        using O = torch::optim::AdamWOptions;
        Groups groups;
        groups.emplace_back(std::vector<at::Tensor>{theirs[0]},
                            std::make_unique<O>(O(1e-2).weight_decay(0.1)));
        groups.emplace_back(std::vector<at::Tensor>{theirs[1]},
                            std::make_unique<O>(O(3e-3).betas({0.8, 0.99}).weight_decay(0)));
        optimizer = std::make_unique<torch::optim::AdamW>(std::move(groups), O());
      } else {
        using O = torch::optim::AdamOptions;
        Groups groups;
        groups.emplace_back(std::vector<at::Tensor>{theirs[0]},
                            std::make_unique<O>(O(1e-2).weight_decay(0.1)));
        groups.emplace_back(std::vector<at::Tensor>{theirs[1]},
                            std::make_unique<O>(O(3e-3).betas({0.8, 0.99})));
        optimizer = std::make_unique<torch::optim::Adam>(std::move(groups), O());
      }
      train(theirs, [&](const auto& backward) {
        optimizer->zero_grad();
        backward();
        optimizer->step();
      });
      for (int i = 0; i < 2; ++i)
        EXPECT_TRUE(at::allclose(ours[i], theirs[i], 1e-5, 1e-7)) << decoupled << i;
    }
}

TEST(FlatAdam, TakesGradientsThatWereReplaced) {
  auto parameters = fresh_parameters();
  FlatAdam flat({{{parameters[0], parameters[1]}, {}}});
  const auto before = parameters[0].detach().clone();
  parameters[0].mutable_grad() = torch::ones_like(parameters[0]);
  parameters[1].mutable_grad() = at::Tensor();
  flat.step();
  EXPECT_TRUE(at::allclose(parameters[0], before - 1e-3, 1e-4, 1e-6));
  EXPECT_THROW(FlatAdam(std::vector<FlatAdam::Group>(1)), InputError);
}

}  // namespace
}  // namespace algprior
