#include "algprior/kernel/conv_block.hpp"

#include "../../kernels_for_now.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/conv_block.hpp"
#include "gradient_check.hpp"
#include "target_guard.hpp"

#include <thread>

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/utils.h>

namespace algprior {
namespace {

struct Layer {
  const char* name;
  int axes, batch, in, out, kernel, stride, padding, side, replicate;
  int pool_kernel, pool_stride, pool_padding;
  Activation activation;
  bool norm, bias, training;
  std::int64_t streams;
};

// Layers of the experiments' networks and corners: channels that fill no block, kernels smaller
// than the stride, pixels that no window reaches, a batch that fills no group of samples.
const std::vector<Layer> kLayers = {
    {"ddmnist1", 2, 4, 1, 6, 7, 1, 2, 56, 1, 0, 1, 0, Activation::elu, true, true, true, 2},
    {"ddmnist2", 2, 4, 6, 12, 5, 1, 2, 55, 0, 5, 2, 1, Activation::elu, true, true, true, 2},
    {"ddmnist4", 2, 4, 12, 24, 3, 2, 2, 27, 0, 5, 2, 1, Activation::elu, true, true, true, 2},
    {"ddmnist6", 2, 38, 24, 36, 3, 2, 0, 7, 0, 0, 1, 0, Activation::elu, true, true, true, 2},
    {"ddmnist7", 2, 20, 36, 36, 3, 1, 1, 3, 0, 5, 1, 1, Activation::elu, true, true, true, 2},
    {"ddmnist9", 2, 20, 36, 66, 1, 1, 0, 1, 0, 0, 1, 0, Activation::identity, false, true, true, 1},
    {"evaluation", 2, 6, 3, 5, 3, 1, 1, 20, 0, 2, 2, 0, Activation::gelu, true, true, false, 1},
    {"no bias", 2, 6, 3, 7, 3, 1, 1, 17, 0, 0, 1, 0, Activation::tanh, true, false, true, 1},
    {"wide stride", 2, 5, 2, 11, 2, 3, 1, 16, 0, 0, 1, 0, Activation::relu, true, true, true, 1},
    {"unreached", 2, 9, 5, 3, 3, 2, 0, 8, 0, 3, 2, 1, Activation::elu, false, true, true, 1},
    {"replicated", 2, 9, 3, 4, 3, 2, 1, 6, 2, 0, 1, 0, Activation::elu, true, true, true, 3},
    {"one sample", 2, 1, 2, 3, 3, 1, 1, 5, 0, 0, 1, 0, Activation::elu, true, true, true, 1},
    {"volume1", 3, 2, 1, 6, 7, 1, 2, 14, 1, 0, 1, 0, Activation::elu, true, true, true, 2},
    {"volume2", 3, 2, 6, 12, 5, 1, 2, 13, 0, 5, 2, 1, Activation::elu, true, true, true, 1},
    {"five rows", 2, 19, 4, 5, 5, 1, 3, 6, 1, 0, 1, 0, Activation::elu, true, true, true, 1},
    {"five rows unpadded", 2, 3, 5, 7, 5, 1, 0, 20, 0, 0, 1, 0, Activation::elu, false, true, true,
     1},
    {"five deep, unpadded", 3, 3, 5, 7, 5, 1, 0, 18, 0, 0, 1, 0, Activation::elu, false, true, true,
     1},
    {"five deep, interleaved", 3, 9, 4, 4, 5, 1, 2, 4, 0, 0, 1, 0, Activation::elu, true, true,
     true, 1},
    {"seven deep", 3, 2, 5, 4, 7, 1, 3, 15, 1, 0, 1, 0, Activation::elu, true, true, true, 2},
    {"seven rows", 2, 3, 4, 9, 7, 1, 3, 17, 0, 0, 1, 0, Activation::elu, false, true, true, 1},
    {"smoke", 2, 4, 92, 92, 3, 1, 1, 20, 0, 0, 1, 0, Activation::elu, true, true, true, 2},
    {"many channels", 2, 3, 17, 70, 3, 1, 0, 30, 0, 3, 2, 1, Activation::gelu, true, false, true,
     1},
    {"steerable", 2, 4, 24, 40, 5, 1, 2, 21, 0, 0, 1, 0, Activation::elu, true, true, true, 2},
    {"volume3", 3, 17, 5, 8, 3, 2, 1, 7, 0, 3, 1, 1, Activation::gelu, true, true, true, 1},
};

ConvBlockConfig config_of(const Layer& layer) {
  ConvBlockConfig config;
  config.axes = layer.axes;
  for (int axis = 3 - layer.axes; axis < 3; ++axis) {
    config.stride[axis] = layer.stride;
    config.padding[axis] = layer.padding;
    config.replicate[axis] = layer.replicate;
    config.pool.kernel[axis] = layer.pool_kernel;
    config.pool.stride[axis] = layer.pool_stride;
    config.pool.padding[axis] = layer.pool_padding;
  }
  if (layer.axes == 2 && layer.pool_kernel > 0) config.pool.kernel[0] = 1;
  config.activation = layer.activation;
  config.training = layer.training;
  config.streams = layer.streams;
  return config;
}

// Everything a pass produces, named.
using Results = std::vector<std::pair<std::string, at::Tensor>>;

struct Inputs {
  explicit Inputs(const Layer& layer) {
    torch::manual_seed(7);
    std::vector<std::int64_t> x_size = {layer.batch, layer.in};
    std::vector<std::int64_t> weight_size = {layer.out, layer.in};
    for (int axis = 0; axis < layer.axes; ++axis) {
      x_size.push_back(layer.side);
      weight_size.push_back(layer.kernel);
    }
    x = torch::randn(x_size, at::kDouble);
    weight = torch::randn(weight_size, at::kDouble) * 0.3;
    if (layer.bias) bias = torch::randn({layer.out}, at::kDouble);
    if (!layer.norm) return;
    norm = {torch::rand({layer.out}, at::kDouble) + 0.5, torch::randn({layer.out}, at::kDouble),
            torch::randn({layer.out}, at::kDouble), torch::rand({layer.out}, at::kDouble) + 0.5};
  }
  at::Tensor x, weight, bias;
  BatchNormTensors norm;
};

at::Tensor leaf(const at::Tensor& tensor, at::ScalarType dtype) {
  if (!tensor.defined()) return tensor;
  return tensor.detach().to(dtype, false, true).requires_grad_();
}

template <class Block>
Results run(const Block& block, const Inputs& inputs, const ConvBlockConfig& config,
            at::ScalarType dtype) {
  const auto x = leaf(inputs.x, dtype);
  const auto weight = leaf(inputs.weight, dtype);
  const auto bias = leaf(inputs.bias, dtype);
  BatchNormTensors norm;
  if (inputs.norm.defined())
    norm = {leaf(inputs.norm.weight, dtype), leaf(inputs.norm.bias, dtype),
            inputs.norm.running_mean.to(dtype, false, true),
            inputs.norm.running_var.to(dtype, false, true)};
  const auto out = block(x, weight, bias, norm, config);
  torch::manual_seed(8);
  out.backward(torch::randn(out.sizes(), at::kDouble).to(dtype));
  Results results = {{"out", out.detach()}, {"dx", x.grad()}, {"dweight", weight.grad()}};
  // In training a bias before a batch norm has gradient zero: nothing to be relative to.
  if (bias.defined() && !(norm.defined() && config.training))
    results.emplace_back("dbias", bias.grad());
  if (norm.defined()) {
    results.emplace_back("dgamma", norm.weight.grad());
    results.emplace_back("dbeta", norm.bias.grad());
    results.emplace_back("running mean", norm.running_mean);
    results.emplace_back("running variance", norm.running_var);
  }
  return results;
}

void expect_agreement(const Results& ours, const Results& reference, const std::string& what) {
  ASSERT_EQ(ours.size(), reference.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto& [name, expected] = reference[i];
    ASSERT_EQ(ours[i].second.sizes(), expected.sizes()) << what << " " << name;
    const double largest = expected.abs().max().item<double>();
    const double error =
        (ours[i].second.to(at::kDouble) - expected).abs().max().item<double>() / largest;
    EXPECT_LT(error, name == "out" ? 1e-5 : 1e-4) << what << " " << name;
  }
}

TEST(ConvBlock, AgreesWithLibTorchInDouble) {
  for (const auto& layer : kLayers) {
    const Inputs inputs(layer);
    const auto config = config_of(layer);
    expect_agreement(run(conv_block_native, inputs, config, at::kFloat),
                     run(conv_block_torch, inputs, config, at::kDouble), layer.name);
  }
}

TEST(ConvBlock, AgreesOnEveryInstructionSet) {
  const auto targets = hwy::SupportedAndGeneratedTargets();
  ASSERT_GE(targets.size(), 1U);
  for (const auto& layer : kLayers) {
    const Inputs inputs(layer);
    const auto config = config_of(layer);
    const auto reference = run(conv_block_torch, inputs, config, at::kDouble);
    for (const auto target : targets) {
      const TargetGuard guard(target);
      EXPECT_EQ(kernel_target(), hwy::TargetName(target));
      expect_agreement(run(conv_block_native, inputs, config, at::kFloat), reference,
                       std::string(layer.name) + " on " + hwy::TargetName(target));
    }
  }
}

TEST(ConvBlock, ReferenceHasTheGradientOfItsFunction) {
  for (const auto& layer : {kLayers[6], kLayers[8], kLayers[10], kLayers[11]}) {
    Layer small = layer;
    small.batch = static_cast<int>(2 * layer.streams);
    small.activation = Activation::elu;
    const Inputs inputs(small);
    auto config = config_of(small);
    const auto f = [&](const std::vector<at::Tensor>& v) {
      BatchNormTensors norm = inputs.norm;
      norm.weight = v[2];
      norm.running_mean = norm.running_mean.clone();
      norm.running_var = norm.running_var.clone();
      return conv_block_torch(v[0], v[1], inputs.bias, norm, config).pow(2).sum();
    };
    EXPECT_LT(gradient_error(f, {inputs.x, inputs.weight, inputs.norm.weight}), 1e-6) << layer.name;
  }
}

TEST(ConvBlock, RefusesASecondDerivative) {
  const KernelsForNow scope(Kernels::native);
  nn::ConvBlock2d block(nn::ConvBlock2dOptions(2, 3, 3).padding(1));
  const auto x = torch::randn({2, 2, 9, 9}).requires_grad_();
  EXPECT_THROW(torch::autograd::grad({block->forward(x).sum()}, {x}, {}, true, true), InputError);
}

TEST(ConvBlock, SameBitsWhateverTheThreads) {
  const int threads = thread_count();
  for (const auto index : {1, 3, 13, 14}) {
    const Inputs inputs(kLayers[index]);
    const auto config = config_of(kLayers[index]);
    set_thread_count(1);
    const auto one = run(conv_block_native, inputs, config, at::kFloat);
    set_thread_count(3);
    const auto three = run(conv_block_native, inputs, config, at::kFloat);
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_TRUE(at::equal(one[i].second, three[i].second)) << one[i].first;
  }
  set_thread_count(threads);
}

TEST(ConvBlock, TwoStreamsAreTwoPasses) {
  for (const auto choice : {Kernels::native, Kernels::torch}) {
    const KernelsForNow scope(choice);
    torch::manual_seed(3);
    nn::ConvBlock2d joint(nn::ConvBlock2dOptions(3, 5, 3).padding(1));
    auto separate = std::dynamic_pointer_cast<nn::ConvBlock2dImpl>(joint->clone());
    const auto x = torch::randn({6, 3, 20, 20});
    const auto gx = torch::randn({6, 3, 20, 20}) * 2 + 1;
    const auto both = joint->forward(torch::cat({x, gx}), 2);
    const auto first = separate->forward(x);
    const auto second = separate->forward(gx);
    EXPECT_TRUE(at::allclose(both, torch::cat({first, second}), 1e-5, 1e-6));
    EXPECT_TRUE(at::allclose(joint->bn->running_mean, separate->bn->running_mean, 1e-6, 1e-7));
    EXPECT_TRUE(at::allclose(joint->bn->running_var, separate->bn->running_var, 1e-6, 1e-7));
    EXPECT_EQ(joint->bn->num_batches_tracked.item<int>(), 2);
    const auto swapped = joint->forward(torch::cat({gx, x}), 2);
    EXPECT_FALSE(at::allclose(both, swapped));
  }
}

TEST(ConvBlock, CarriesLibTorchsNames) {
  nn::ConvBlock3d block(nn::ConvBlock3dOptions(1, 2, 3));
  std::vector<std::string> names;
  for (const auto& item : block->named_parameters()) names.push_back(item.key());
  EXPECT_EQ(names, (std::vector<std::string>{"conv.weight", "conv.bias", "bn.weight", "bn.bias"}));
  torch::nn::Sequential network;
  network->push_back(nn::ConvBlock3d(nn::ConvBlock3dOptions(1, 2, 3)));
  EXPECT_EQ(network->forward(torch::randn({2, 1, 5, 5, 5})).sizes(),
            (std::vector<std::int64_t>{2, 2, 3, 3, 3}));
}

TEST(ConvBlock, OtherDtypesGoToLibTorch) {
  const KernelsForNow scope(Kernels::native);
  nn::ConvBlock2d block(nn::ConvBlock2dOptions(2, 3, 3));
  block->to(at::kDouble);
  const auto out = block->forward(torch::randn({2, 2, 6, 6}, at::kDouble));
  EXPECT_EQ(out.scalar_type(), at::kDouble);
}

// The measured rule of docs/kernels.md, seen in the name of the gradient's function.
TEST(ConvBlock, WideStridedAndNarrowLayersGoToLibTorch) {
  int batch = 2;
  const auto computed_by = [&batch](int in, int out, int kernel, int stride, int side,
                                    Kernels choice) {
    const KernelsForNow scope(choice);
    nn::ConvBlock2d block(nn::ConvBlock2dOptions(in, out, kernel)
                              .stride(stride)
                              .norm(false)
                              .activation(Activation::identity));
    return block->forward(torch::randn({batch, in, side, side})).grad_fn()->name();
  };
  const auto ours = computed_by(2, 3, 3, 1, 8, Kernels::native);
  const auto libtorch = computed_by(2, 3, 3, 1, 8, Kernels::torch);
  ASSERT_NE(ours, libtorch);
  const auto chosen = [&](int in, int out, int kernel, int stride, int side) {
    return computed_by(in, out, kernel, stride, side, Kernels::automatic);
  };
  EXPECT_EQ(chosen(2, 3, 3, 1, 8), ours);
  EXPECT_EQ(chosen(3, 32, 3, 2, 32), ours);
  EXPECT_EQ(chosen(36, 36, 3, 1, 3), ours);
  EXPECT_EQ(chosen(64, 64, 3, 1, 16), ours);
  EXPECT_EQ(chosen(32, 64, 3, 2, 16), libtorch);
  EXPECT_EQ(chosen(64, 64, 5, 1, 8), libtorch);
  EXPECT_EQ(chosen(3, 65, 3, 1, 16), libtorch);
  // A 1×1 kernel on single pixels is a matrix product.
  EXPECT_EQ(chosen(8, 8, 1, 1, 1), computed_by(8, 8, 1, 1, 1, Kernels::native));
  EXPECT_NE(chosen(8, 8, 1, 1, 1), libtorch);
  EXPECT_EQ(chosen(92, 2, 3, 1, 32), ours);
  EXPECT_EQ(chosen(2, 92, 3, 1, 32), ours);
  EXPECT_EQ(chosen(92, 2, 3, 1, 31), libtorch);
  // Winograd's algorithm serves any number of channels, given tiles enough.
  EXPECT_EQ(chosen(64, 64, 3, 1, 8), libtorch);
  EXPECT_EQ(chosen(16, 200, 3, 1, 9), libtorch);
  batch = 64;
  EXPECT_EQ(chosen(64, 64, 3, 1, 8), ours);
  EXPECT_EQ(chosen(16, 200, 3, 1, 9), ours);
  EXPECT_EQ(chosen(200, 16, 3, 1, 30), ours);
  EXPECT_EQ(chosen(200, 15, 3, 1, 30), libtorch);
  EXPECT_EQ(chosen(200, 16, 3, 2, 30), libtorch);
  EXPECT_EQ(chosen(36, 132, 5, 1, 30), ours);
  EXPECT_EQ(chosen(12, 132, 5, 1, 30), libtorch);
  EXPECT_EQ(chosen(36, 132, 5, 2, 30), libtorch);
}

TEST(ConvBlock, SaysWhatDoesNotFit) {
  nn::ConvBlock2d block(nn::ConvBlock2dOptions(2, 3, 3));
  EXPECT_THROW(block->forward(torch::randn({2, 3, 6, 6})), InputError);
  EXPECT_THROW(block->forward(torch::randn({2, 6, 6})), InputError);
  EXPECT_THROW(block->forward(torch::randn({3, 2, 6, 6}), 2), InputError);
  EXPECT_THROW(block->forward(torch::randn({2, 2, 2, 2})), InputError);
  EXPECT_THROW(block->forward(torch::randn({1, 2, 3, 3})), InputError);
  // 2026-11-18: running averages that are not there were read.
  const auto conv = [](const BatchNormTensors& norm, const ConvBlockConfig& config) {
    return conv_block(torch::randn({2, 2, 6, 6}), torch::randn({3, 2, 3, 3}), {}, norm, config);
  };
  const auto ones = torch::ones({3});
  EXPECT_NO_THROW(conv({ones, ones, ones.clone(), ones.clone()}, {}));
  EXPECT_THROW(conv({ones, ones, {}, ones.clone()}, {}), InputError);
  EXPECT_THROW(conv({ones, ones, ones.clone(), {}}, {}), InputError);
  // 2026-11-18: every other number of a tensor was read as if there were none between.
  const auto apart = torch::arange(6, torch::kFloat).view({3, 2}).select(1, 1);
  const auto x = torch::randn({2, 2, 6, 6}), weight = torch::randn({3, 2, 3, 3});
  const auto block_of = [&](const at::Tensor& numbers, Kernels kernels) {
    ConvBlockConfig evaluated;
    evaluated.training = false;
    evaluated.kernels = kernels;
    return conv_block(x, weight, numbers, {numbers, numbers, numbers, numbers}, evaluated);
  };
  EXPECT_TRUE(at::allclose(block_of(apart, Kernels::native),
                           block_of(apart.contiguous(), Kernels::torch), 1e-4, 1e-5));
  // 2026-11-18: a window along the depth of an image was let through, to sizes below 0.
  ConvBlockConfig config;
  config.axes = 2;
  config.pool.kernel = {3, 2, 2};
  EXPECT_THROW(conv({}, config), InputError);
}

TEST(Kernels, Words) {
  EXPECT_EQ(to_kernels("native"), Kernels::native);
  EXPECT_THROW(to_kernels("fast"), InputError);
}

// 2026-11: the choice was the thread's, and a worker thread did not see it.
TEST(Kernels, TheChoiceTravelsWithTheNetworkIntoEveryThread) {
  nn::ConvBlock2d block(
      nn::ConvBlock2dOptions(1, 6, 7).norm(false).activation(Activation::identity));
  const auto computed_by = [&] {
    std::string name;
    std::thread([&] {
      name = block->forward(torch::randn({2, 1, 20, 20})).grad_fn()->name();
    }).join();
    return name;
  };
  const std::string ours = computed_by();
  nn::choose_kernels(*block, Kernels::torch);
  EXPECT_NE(computed_by(), ours);
  nn::choose_kernels(*block, Kernels::native);
  EXPECT_EQ(computed_by(), ours);
  EXPECT_EQ(kernels(), Kernels::automatic);
  const auto plain = std::make_shared<torch::nn::Module>();
  EXPECT_THROW(nn::choose_kernels(*plain, Kernels::torch), InputError);
}

// 2026-11: these ended in a crash.
TEST(ConvBlock, OptionsThatMakeNoSenseAreRefused) {
  const auto options = [] { return nn::ConvBlock2dOptions(2, 3, 3); };
  EXPECT_THROW(nn::ConvBlock2d(options().padding(-1)), InputError);
  EXPECT_THROW(nn::ConvBlock2d(options().stride(0)), InputError);
  EXPECT_THROW(nn::ConvBlock2d(options().replicate(-1)), InputError);
  EXPECT_THROW(nn::ConvBlock2d(options().pool_kernel(2).pool_stride(0)), InputError);
  EXPECT_THROW(nn::ConvBlock2d(options().pool_kernel(2).pool_padding(-1)), InputError);
  EXPECT_THROW(nn::ConvBlock2d(options().pool_kernel(2).pool_padding(2)), InputError);
  EXPECT_THROW(nn::ConvBlock2d(options().pool_kernel(-2)), InputError);
  EXPECT_THROW(nn::ConvBlock2d(nn::ConvBlock2dOptions(0, 3, 3)), InputError);
  EXPECT_THROW(nn::ConvBlock2d(nn::ConvBlock2dOptions(2, 3, 0)), InputError);
  EXPECT_THROW(nn::ConvBlock3d(nn::ConvBlock3dOptions(2, 3, 3).stride({1, 0, 1})), InputError);
}

}  // namespace
}  // namespace algprior
