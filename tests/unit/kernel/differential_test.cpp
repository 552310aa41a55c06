// The native kernels against LibTorch on random shapes and options: outputs, running averages and
// every gradient. ALGPRIOR_ROUNDS says how many: some for every run of the tests, 10^4 for the
// extreme ones.
#include "algprior/base/random.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/conv_block.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

namespace algprior {
namespace {

class Case {
 public:
  explicit Case(int round) : random_(RandomKey(16, "differential").sample(std::uint64_t(round))) {
    config.axes = between(0, 3) == 0 ? 3 : 2;
    const bool volume = config.axes == 3;
    const std::int64_t in = channels(volume), out = channels(volume);
    batch = between(1, volume ? 3 : 6);
    config.streams = batch % 2 == 0 ? between(1, 2) : 1;
    std::vector<std::int64_t> x_shape{batch, in}, w_shape{out, in};
    for (int axis = 3 - config.axes; axis < 3; ++axis) {
      const int kernel = between(1, 7);
      config.stride[axis] = between(0, 2) == 0 ? between(2, 3) : 1;
      config.padding[axis] = between(0, kernel);
      config.replicate[axis] = between(0, 4) == 0 ? between(1, 2) : 0;
      const int side = kernel + between(0, volume ? 6 : 24);
      x_shape.push_back(side);
      w_shape.push_back(kernel);
    }
    if (between(0, 1) == 0) choose_pool(x_shape, w_shape);
    constexpr Activation kActivations[] = {Activation::identity, Activation::elu, Activation::relu,
                                           Activation::tanh, Activation::gelu};
    config.activation = kActivations[between(0, 4)];
    config.training = between(0, 3) != 0;
    torch::manual_seed(std::uint64_t(random_.below(1u << 30)));
    x = torch::randn(x_shape);
    weight = torch::randn(w_shape) * 0.3;
    if (between(0, 3) != 0) bias = torch::randn({out});
    if (between(0, 2) != 0) {
      norm = {torch::rand({out}) + 0.5, torch::randn({out}), torch::randn({out}),
              torch::rand({out}) + 0.5};
    }
  }

  // Of the convolution, a channel and stream.
  std::int64_t values() const {
    std::int64_t count = batch / config.streams;
    for (int axis = 3 - config.axes; axis < 3; ++axis) {
      const auto place = axis - (3 - config.axes) + 2;
      const auto room = x.size(place) + config.replicate[axis] + 2 * config.padding[axis];
      count *= (room - weight.size(place)) / config.stride[axis] + 1;
    }
    return count;
  }

  std::string text() const {
    return fmt::format(
        "x {}, weight {}, stride {}, padding {}, replicate {}, pool {} {} {}, "
        "activation {}, norm {}, bias {}, training {}, streams {}",
        fmt::join(x.sizes(), "x"), fmt::join(weight.sizes(), "x"), fmt::join(config.stride, " "),
        fmt::join(config.padding, " "), fmt::join(config.replicate, " "),
        fmt::join(config.pool.kernel, " "), fmt::join(config.pool.stride, " "),
        fmt::join(config.pool.padding, " "), static_cast<int>(config.activation), norm.defined(),
        bias.defined(), config.training, config.streams);
  }

  at::Tensor x, weight, bias;
  BatchNormTensors norm;
  ConvBlockConfig config;
  std::int64_t batch = 1;

 private:
  int between(int low, int high) {
    return low + static_cast<int>(random_.below(std::uint64_t(high - low + 1)));
  }
  // Thin layers mostly; now and then enough channels for the kernels of wide ones.
  std::int64_t channels(bool volume) {
    return between(0, 4) == 0 ? between(16, volume ? 20 : 40) : between(1, 12);
  }
  // Only windows that fit what the convolution leaves.
  void choose_pool(const std::vector<std::int64_t>& x_shape,
                   const std::vector<std::int64_t>& w_shape) {
    Pool pool;
    for (int axis = 3 - config.axes; axis < 3; ++axis) {
      const auto place = static_cast<std::size_t>(axis - (3 - config.axes) + 2);
      const auto left = static_cast<int>(
          (x_shape[place] + config.replicate[axis] + 2 * config.padding[axis] - w_shape[place]) /
              config.stride[axis] +
          1);
      pool.kernel[axis] = std::min(between(1, 5), left);
      pool.stride[axis] = between(1, 3);
      pool.padding[axis] = between(0, pool.kernel[axis] / 2);
    }
    if (config.axes == 2) pool.kernel[0] = 1;
    config.pool = pool;
  }

  RandomStream random_;
};

using Block = at::Tensor (*)(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                             const BatchNormTensors&, const ConvBlockConfig&);

// Output, gradients, running averages.
std::vector<at::Tensor> pass(const Case& given, Block block, at::ScalarType type) {
  const auto copy = [type](const at::Tensor& tensor, bool learned) {
    return tensor.defined() ? tensor.to(type, false, true).requires_grad_(learned) : tensor;
  };
  const auto x = copy(given.x, true), weight = copy(given.weight, true),
             bias = copy(given.bias, true);
  BatchNormTensors norm;
  if (given.norm.defined()) {
    norm = {copy(given.norm.weight, true), copy(given.norm.bias, true),
            copy(given.norm.running_mean, false), copy(given.norm.running_var, false)};
  }
  const auto out = block(x, weight, bias, norm, given.config);
  const auto wave =
      torch::sin(torch::arange(out.numel(), out.options().requires_grad(false))).view(out.sizes());
  std::vector<at::Tensor> inputs{x, weight};
  if (bias.defined()) inputs.push_back(bias);
  if (norm.defined()) inputs.insert(inputs.end(), {norm.weight, norm.bias});
  auto results = torch::autograd::grad({out}, inputs, {wave}, {}, false, true);
  results.push_back(out.detach());
  if (norm.defined()) results.insert(results.end(), {norm.running_mean, norm.running_var});
  return results;
}

// Places among the results where there is a bias and a norm.
constexpr std::size_t kOfBias = 2, kOfScale = 3, kOfShift = 4;

TEST(Differential, ConvolutionBlocksAgreeWithLibTorchInDoublePrecision) {
  for (int round = 0; round < ALGPRIOR_ROUNDS; ++round) {
    const Case given(round);
    // A batch norm over a single number has no deviation to divide by; conv_block refuses it.
    if (given.norm.defined() && given.config.training && given.values() < 2) continue;
    const auto exact = pass(given, conv_block_torch, at::kDouble);
    const auto ours = pass(given, conv_block_native, at::kFloat);
    const auto theirs = pass(given, conv_block_torch, at::kFloat);
    ASSERT_EQ(ours.size(), exact.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (!exact[i].defined()) continue;
      ASSERT_EQ(ours[i].sizes(), exact[i].sizes()) << given.text();
      // A bias before a batch norm of the batch changes nothing, nor does the scale of a channel
      // that is constant (windows that see padding alone): their gradients are 0, and what is left
      // of them is rounding of sums as large as those of the norm's own shift.
      const bool may_vanish = given.bias.defined() && given.norm.defined() &&
                              given.config.training && (i == kOfBias || i == kOfScale);
      const double scale = exact[i].abs().max().item<double>() + 1e-3 +
                           (may_vanish ? exact[kOfShift].abs().max().item<double>() : 0.0);
      const double error = (ours[i].to(at::kDouble) - exact[i]).abs().max().item<double>() / scale;
      // As good as LibTorch's own float32 up to a factor: where that one loses digits, so may ours.
      const double peer = (theirs[i].to(at::kDouble) - exact[i]).abs().max().item<double>() / scale;
      ASSERT_LT(error, std::max(2e-4, 50 * peer))
          << "round " << round << ", result " << i << ": " << given.text();
    }
  }
}

TEST(Differential, AveragePoolingAgreesWithLibTorch) {
  for (int round = 0; round < ALGPRIOR_ROUNDS; ++round) {
    const Case given(round);
    if (!given.config.pool.any()) continue;
    const auto make = [&] { return given.x.clone().requires_grad_(true); };
    Pool pool = given.config.pool;
    for (int axis = 3 - given.config.axes; axis < 3; ++axis) {
      pool.kernel[axis] = std::min<int>(
          pool.kernel[axis], static_cast<int>(given.x.size(axis + given.config.axes - 1)));
      pool.padding[axis] = std::min(pool.padding[axis], pool.kernel[axis] / 2);
    }
    const auto ours_x = make(), theirs_x = make();
    const auto ours = average_pool(ours_x, pool), theirs = average_pool_torch(theirs_x, pool);
    ASSERT_TRUE(torch::allclose(ours, theirs, 1e-4, 1e-5))
        << "round " << round << ": " << given.text();
    ours.square().sum().backward();
    theirs.square().sum().backward();
    ASSERT_TRUE(torch::allclose(ours_x.grad(), theirs_x.grad(), 1e-3, 1e-4))
        << "round " << round << ": " << given.text();
  }
}

}  // namespace
}  // namespace algprior
