// What a chain of blocks keeps for its backward pass, and the memory that it shares.
#include "../../kernels_for_now.hpp"
#include "algprior/kernel/recycle_tensors.hpp"
#include "algprior/nn/conv_block.hpp"
#include "recycle.hpp"

#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/utils.h>

namespace algprior {
namespace {

// Blocks in a row keep what their inputs were made of, not the inputs: these go when nobody else
// holds them, and the gradients are those of LibTorch all the same.
TEST(ConvBlock, AChainDoesNotKeepItsActivations) {
  const auto options = [](int in, int out) {
    return nn::ConvBlock2dOptions(in, out, 3).padding(1).activation(Activation::relu);
  };
  torch::manual_seed(3);
  nn::ConvBlock2d first(options(3, 16)), second(options(16, 16)), last(options(16, 2).norm(false));
  const auto x = torch::randn({4, 3, 64, 64});  // 16 channels of it are a megabyte
  const auto gradients = [&](Kernels choice, bool hold) {
    const KernelsForNow scope(choice);
    auto middle = first->forward(x, 2);
    const c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> kept(
        middle.getIntrusivePtr());
    auto next = second->forward(middle, 2);
    auto held = hold ? middle : at::Tensor();
    middle = at::Tensor();
    EXPECT_EQ(kept.expired(), choice == Kernels::native && !hold);
    const auto out = last->forward(next);
    next = at::Tensor();
    std::vector<at::Tensor> parameters;
    for (const auto& block : {first, second, last}) {
      for (const auto& parameter : block->parameters()) parameters.push_back(parameter);
    }
    return torch::autograd::grad({out.square().sum()}, parameters);
  };
  const auto theirs = gradients(Kernels::torch, false);
  for (const bool hold : {false, true}) {
    const auto ours = gradients(Kernels::native, hold);
    double largest = 0, error = 0;  // biases before a batch norm have none to be relative to
    for (std::size_t i = 0; i < ours.size(); ++i) {
      largest = std::max(largest, theirs[i].abs().max().item<double>());
      error = std::max(error, (ours[i] - theirs[i]).abs().max().item<double>());
    }
    EXPECT_LT(error, 1e-4 * largest);
  }
  // What was changed in place since is kept as it is.
  const KernelsForNow scope(Kernels::native);
  const auto middle = first->forward(x);
  {
    const torch::NoGradGuard no_gradient;
    middle.mul_(0);
  }
  const auto out = second->forward(middle);
  EXPECT_EQ(torch::autograd::grad({out.sum()}, {second->named_parameters()["conv.weight"]})[0]
                .abs()
                .max()
                .item<double>(),
            0.0);
}

// 3 → 16 channels: the first block's convolution is computed again, with the same bits, by whoever
// needs it first.
TEST(ConvBlock, FewChannelsAreConvolvedAgainInsteadOfKept) {
  const KernelsForNow scope(Kernels::native);
  const auto options = [](int in, int out) {
    return nn::ConvBlock2dOptions(in, out, 3).padding(1).activation(Activation::relu);
  };
  torch::manual_seed(4);
  nn::ConvBlock2d thin(options(3, 16)), wide(options(16, 16));
  const auto x = torch::randn({4, 3, 64, 64}), z = torch::randn({4, 16, 64, 64});
  const auto bytes_kept = [](nn::ConvBlock2d& block, const at::Tensor& in) {
    const auto before = kernel::used_bytes();
    const auto out = block->forward(in);
    return kernel::used_bytes() - before;
  };
  EXPECT_EQ(2 * bytes_kept(thin, x), bytes_kept(wide, z));  // the output alone; y beside it

  const auto gradients = [&](const at::Tensor& out, bool retain) {
    auto parameters = thin->parameters();
    return torch::autograd::grad({out.square().sum()}, parameters, {}, retain);
  };
  const auto alone = thin->forward(x);
  const auto first = gradients(alone, true), again = gradients(alone, false);
  const auto chained = wide->forward(thin->forward(x));
  const auto third = gradients(chained, true), fourth = gradients(chained, false);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(first[i].equal(again[i])) << i;
    EXPECT_TRUE(third[i].equal(fourth[i])) << i;
  }
}

TEST(Recycle, PassesOfDifferentSizesShareOneMemory) {
  using namespace kernel;
  constexpr std::size_t kUnit = std::size_t{1} << 26;
  const auto before = used_bytes();
  const Block whole = take_block(2 * kUnit);
  EXPECT_EQ(used_bytes() - before, 2 * kUnit);
  give_block(whole);
  const Block left = take_block(kUnit), right = take_block(kUnit);
  const auto inside = [&](const Block& block) {
    const auto* begin = static_cast<const char*>(whole.data);
    const auto* data = static_cast<const char*>(block.data);
    return begin <= data && data + block.capacity <= begin + whole.capacity;
  };
  EXPECT_TRUE(inside(left) && inside(right));
  EXPECT_NE(left.data, right.data);
  for (const bool left_first : {true, false}) {
    give_block(left_first ? left : right);
    give_block(left_first ? right : left);
    EXPECT_EQ(used_bytes(), before);
    const Block joined = take_block(2 * kUnit);  // the halves have grown together
    EXPECT_EQ(joined.data, whole.data);
    give_block(joined);
    if (!left_first) break;
    ASSERT_EQ(take_block(kUnit).data, left.data);
    ASSERT_EQ(take_block(kUnit).data, right.data);
  }
}

TEST(Recycle, WhatIsKeptIsBounded) {
  using namespace kernel;
  std::vector<Block> blocks;
  for (int i = 0; i < 5; ++i) blocks.push_back(take_block(most_kept() / 4));  // never written to
  for (const Block& block : blocks) give_block(block);
  EXPECT_LE(kept_bytes(), most_kept());
}

TEST(Recycle, TensorsOfLibTorchUseTheSameMemoryAgain) {
  using namespace kernel;
  auto* const allocator = c10::GetCPUAllocator();
  recycle_tensors();
  recycle_tensors();
  const auto before = used_bytes();
  constexpr std::size_t kBytes = std::size_t{1} << 24;
  void* place = nullptr;
  {
    const auto tensor = at::ones({kBytes / sizeof(float)});
    place = tensor.data_ptr();
    EXPECT_EQ(used_bytes() - before, kBytes);
    const auto grown = at::cat({tensor, tensor});
    EXPECT_EQ(used_bytes() - before, 3 * kBytes);
    EXPECT_EQ(grown.sum().item<double>(), 2.0 * kBytes / sizeof(float));
  }
  EXPECT_EQ(used_bytes(), before);
  EXPECT_EQ(at::empty({kBytes / sizeof(float)}).data_ptr(), place);
  const auto small = at::empty({1000});
  EXPECT_EQ(used_bytes(), before);
  for (const std::size_t bytes : {std::size_t{100}, kBytes}) {  // by the address alone
    void* raw = c10::GetCPUAllocator()->raw_allocate(bytes);
    static_cast<char*>(raw)[bytes - 1] = 1;
    c10::GetCPUAllocator()->raw_deallocate(raw);
  }
  EXPECT_EQ(used_bytes(), before);
  EXPECT_THROW(at::empty({std::int64_t{1} << 50}), c10::Error);  // as LibTorch refuses it
  c10::SetCPUAllocator(allocator);
}

}  // namespace
}  // namespace algprior
