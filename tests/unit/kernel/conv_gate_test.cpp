#include "algprior/kernel/conv_gate.hpp"

#include "../../kernels_for_now.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "target_guard.hpp"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

struct Gated {
  const char* name;
  int axes, batch, in, kernel, stride, padding, side;
  GateLayout layout;
  Pool pool;
};

Pool gaussian(int axes, int stride, int padding) {
  const int flat = axes == 3 ? 1 : 0;
  return {{flat ? 5 : 1, 5, 5},
          {flat ? stride : 1, stride, stride},
          {flat ? padding : 0, padding, padding},
          0.66};
}

const std::vector<Gated> kGated = {
    {"digits2", 2, 3, 16, 5, 1, 2, 21, {3, {1, 2, 1}}, gaussian(2, 2, 1)},
    {"direct sums", 2, 5, 3, 5, 1, 2, 17, {2, {1, 2, 1}}, gaussian(2, 2, 1)},
    {"strided", 2, 9, 4, 3, 2, 0, 7, {2, {1, 2}}, {}},
    {"one gate", 2, 2, 2, 3, 1, 1, 9, {1, {1}}, {{1, 3, 3}, {1, 1, 1}, {0, 1, 1}}},
    {"volume", 3, 2, 3, 3, 1, 1, 7, {2, {1, 3}}, gaussian(3, 2, 1)},
};

// The norm of a field network in small: the affine map depends on the statistics, which have no
// gradient, and on a parameter.
Affine some_affine(const BatchMoments& batch, const at::Tensor& gain) {
  const auto scale = gain * (batch.variance.to(gain.dtype()) + 1e-5).rsqrt();
  return {scale, 0.1 * gain - batch.mean.to(gain.dtype()) * scale};
}

std::vector<at::Tensor> pass(const Gated& given, at::ScalarType type) {
  torch::manual_seed(21);
  const auto make = [&](std::vector<std::int64_t> sizes) {
    return torch::randn(sizes, at::kDouble).to(type).requires_grad_();
  };
  const auto out = given.layout.fields * (given.layout.gates() + given.layout.features());
  std::vector<std::int64_t> x_size{given.batch, given.in}, w_size{out, given.in};
  ConvGateConfig config;
  config.conv.axes = given.axes;
  config.conv.activation = Activation::identity;
  for (int axis = 3 - given.axes; axis < 3; ++axis) {
    x_size.push_back(given.side);
    w_size.push_back(given.kernel);
    config.conv.stride[static_cast<std::size_t>(axis)] = given.stride;
    config.conv.padding[static_cast<std::size_t>(axis)] = given.padding;
  }
  config.layout = given.layout;
  config.pool = given.pool;
  config.measured = true;
  const auto x = make(x_size), weight = make(w_size), bias = make({out}), gain = make({out});
  const auto y = conv_gate(x, weight, bias, config,
                           [&](const BatchMoments& batch) { return some_affine(batch, gain); });
  const auto wave = torch::sin(torch::arange(y.numel(), at::kDouble)).to(type).view(y.sizes());
  auto results = torch::autograd::grad({y}, {x, weight, bias, gain}, {wave});
  results.push_back(y.detach());
  return results;
}

TEST(ConvGate, AgreesWithItsPartsInDoubleOnEveryInstructionSet) {
  for (const Gated& given : kGated) {
    const auto exact = pass(given, at::kDouble);
    for (const auto target : hwy::SupportedAndGeneratedTargets()) {
      const TargetGuard guard(target);
      for (const Kernels choice : {Kernels::native, Kernels::torch}) {
        const KernelsForNow scope(choice);
        const auto ours = pass(given, at::kFloat);
        for (std::size_t i = 0; i < ours.size(); ++i) {
          const double error = (ours[i].to(at::kDouble) - exact[i]).abs().max().item<double>() /
                               exact[i].abs().max().item<double>();
          EXPECT_LT(error, 1e-4) << given.name << ", result " << i << ", " << to_string(choice)
                                 << " on " << hwy::TargetName(target);
        }
      }
    }
  }
}

TEST(ConvGate, TheKernelsComputeItInOnePass) {
  const auto computed_by = [](Kernels choice) {
    const KernelsForNow scope(choice);
    ConvGateConfig config;
    config.layout = {2, {1}};
    config.conv.activation = Activation::identity;
    const auto x = torch::randn({2, 3, 8, 8}), w = torch::randn({4, 3, 3, 3}).requires_grad_();
    const Affine plain{torch::ones({4}), torch::zeros({4})};
    return conv_gate(x, w, {}, config,
                     [&](const BatchMoments& batch) {
                       EXPECT_FALSE(batch.mean.defined());
                       return plain;
                     })
        .grad_fn()
        ->name();
  };
  EXPECT_NE(computed_by(Kernels::native).find("ConvGate"), std::string::npos);
  EXPECT_EQ(computed_by(Kernels::torch).find("ConvGate"), std::string::npos);
}

TEST(ConvGate, SaysWhatDoesNotFit) {
  ConvGateConfig config;
  config.layout = {2, {1}};
  const auto affine = [](const BatchMoments&) {
    return Affine{torch::ones({5}), torch::zeros({5})};
  };
  EXPECT_THROW(
      conv_gate(torch::randn({2, 3, 8, 8}), torch::randn({5, 3, 3, 3}), {}, config, affine),
      InputError);
  config.pool = gaussian(2, 2, 0);
  EXPECT_THROW(
      conv_gate(torch::randn({2, 3, 6, 6}), torch::randn({4, 3, 3, 3}), {}, config, affine),
      InputError);
}

// A window of weights exp(−|x|²/2σ²) is the depth-wise convolution with them.
TEST(GaussianPool, IsADepthwiseConvolution) {
  torch::manual_seed(22);
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    const TargetGuard guard(target);
    for (const auto& [stride, padding] : {std::pair(2, 1), {1, 1}, {2, 0}}) {
      const auto x = torch::randn({2, 3, 19, 30}, at::kDouble).requires_grad_();
      const auto place = torch::arange(5, at::kDouble) - 2;
      auto window = torch::exp(-(place.square().view({5, 1}) + place.square()) / (2 * 0.66 * 0.66));
      window = (window / window.sum()).expand({3, 1, 5, 5});
      const auto exact = at::conv2d(x, window, {}, stride, padding, 1, 3);
      exact.square().sum().backward();
      for (const Kernels choice : {Kernels::native, Kernels::torch}) {
        const KernelsForNow scope(choice);
        const auto x_float = x.detach().to(at::kFloat).requires_grad_();
        const auto ours = average_pool(x_float, gaussian(2, stride, padding));
        EXPECT_TRUE(at::allclose(ours.to(at::kDouble), exact, 1e-5, 1e-6));
        ours.square().sum().backward();
        EXPECT_TRUE(at::allclose(x_float.grad().to(at::kDouble), x.grad(), 1e-4, 1e-5));
      }
    }
  }
  Pool wide = gaussian(2, 1, 0);
  wide.kernel = {1, 17, 17};
  EXPECT_THROW(average_pool(torch::randn({1, 1, 20, 20}), wide), InputError);
}

// 2026-11-18: LibTorch divides by the number of values.
TEST(ConvGate, MomentsOfNothingAreRefused) {
  EXPECT_THROW(channel_moments(torch::zeros({0, 3, 4, 4})), InputError);
  EXPECT_THROW(channel_moments(torch::zeros({2, 3, 0, 4})), InputError);
  EXPECT_THROW(channel_moments({}), InputError);
}

}  // namespace
}  // namespace algprior
