// Polar factors with their gradient, and the linear maps between the latents of a pair.
#include "algprior/nn/pair_maps.hpp"

#include "../kernel/gradient_check.hpp"
#include "algprior/base/error.hpp"
#include "algprior/nn/polar.hpp"

#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/types.h>

namespace algprior::nn {
namespace {

at::Tensor spread(at::IntArrayRef shape, double frequency) {
  const auto numbers = at::arange(c10::multiply_integers(shape), at::kDouble);
  return at::sin(numbers.mul(frequency).add(0.3 * numbers.square().remainder(7))).reshape(shape);
}

std::int64_t count_parameters(const torch::nn::Module& module) {
  std::int64_t count = 0;
  for (const auto& parameter : module.parameters()) count += parameter.numel();
  return count;
}

TEST(Polar, IsOrthogonalAndHasItsGradient) {
  const auto weight = spread({2, 6, 4}, 0.9);
  const auto tall = spread({2, 6, 4}, 1.7);
  const auto factor = polar_factor(tall);
  EXPECT_TRUE(at::allclose(at::matmul(factor.transpose(1, 2), factor),
                           at::eye(4, at::kDouble).expand({2, 4, 4}), 0, 1e-12));
  EXPECT_LT(
      gradient_error(
          [&](const std::vector<at::Tensor>& in) { return (polar_factor(in[0]) * weight).sum(); },
          {tall}),
      1e-6);
  const auto square = spread({3, 4, 4}, 2.3);
  for (const auto which : {Polar::orthogonal, Polar::special}) {
    const auto other = spread({3, 4, 4}, 0.4);
    EXPECT_LT(gradient_error(
                  [&](const std::vector<at::Tensor>& in) {
                    return (polar_factor(in[0], which) * other).sum();
                  },
                  {square}),
              1e-6);
  }
  const auto turned = at::linalg_det(polar_factor(square, Polar::special));
  EXPECT_TRUE(at::allclose(turned, at::ones({3}, at::kDouble)));
  EXPECT_THROW(polar_factor(spread({2, 3}, 1.0)), InputError);
  EXPECT_THROW(polar_factor(tall, Polar::special), InputError);
}

TEST(NeuralIsometry, EigenfunctionsAreOrthonormalAndRotationsAreFound) {
  const NeuralIsometry isometry(1, 20, 6);
  const auto now = isometry.now();
  const auto gram = at::matmul(now.functions.t(), now.mass.unsqueeze(1) * now.functions);
  EXPECT_TRUE(at::allclose(gram, at::eye(6), 0, 1e-5));
  EXPECT_TRUE((now.values.diff() >= 0).all().item<bool>());

  // With equal eigenvalues nothing is masked.
  auto equal = now;
  equal.values = at::zeros({6});
  const auto q = polar_factor(spread({6, 6}, 1.3), Polar::special).to(at::kFloat);
  const auto a = spread({2, 9, 6}, 0.7).to(at::kFloat);
  const auto b = at::matmul(a, q.t());
  const auto found = equal.isometry(a, b);
  EXPECT_TRUE(at::allclose(found, q.expand({2, 6, 6}), 0, 1e-4));
  EXPECT_TRUE(at::allclose(rotate_spectrum(found, a), b, 0, 1e-4));

  // What lies in the span of the eigenfunctions comes back from its spectrum.
  const auto z = equal.grid(a, {2, 9, 4, 5});
  EXPECT_TRUE(at::allclose(equal.spectrum(z), a, 0, 1e-5));
  EXPECT_THROW(NeuralIsometry(0, 5, 6), InputError);
}

TEST(NeuralIsometry, PublishedNumbers) {
  const NeuralIsometry isometry(0, 288, 64);
  EXPECT_EQ(count_parameters(*isometry.module()), 18'784);
  auto equal = isometry.now();
  equal.values = at::zeros({64});
  EXPECT_NEAR(equal.multiplicity().item<double>(), 7.937, 1e-3);
  EXPECT_NEAR(isometry.now().multiplicity().item<double>(), 7.9, 0.3);
  EXPECT_EQ(count_parameters(*NeuralFourier(0, 288).module()), 36'864);
}

TEST(NeuralFourier, FindsAPlantedMap) {
  const NeuralFourier fourier(2, 30, 4, 2);
  const auto h = spread({3, 5, 8}, 0.6).to(at::kFloat);
  const auto planted = spread({4, 4}, 2.1).to(at::kFloat);
  const auto partner = at::matmul(h.reshape({3, 10, 4}), planted).reshape({3, 5, 8});
  const auto found = fourier.transition(h, partner);
  EXPECT_TRUE(at::allclose(found, planted.expand({3, 4, 4}), 0, 0.02));
  EXPECT_TRUE(at::allclose(fourier.move(found, h), partner, 0, 0.02));
  EXPECT_EQ(fourier.grid(h, {3, 5, 6, 5}).sizes(), (at::IntArrayRef{3, 5, 6, 5}));
  // As many equations as unknowns fit anything.
  EXPECT_THROW(fourier.transition(h.narrow(1, 0, 2), partner.narrow(1, 0, 2)), InputError);
}

}  // namespace
}  // namespace algprior::nn
