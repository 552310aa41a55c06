#include "torch/bench_networks.hpp"

#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/kernels.hpp"

#include <cmath>

#include <torch/torch.h>

namespace algprior {
namespace {

using nn::ConvBlock2d;
using nn::ConvBlock2dOptions;
using nn::ConvBlock3d;
using nn::ConvBlock3dOptions;

struct MedmnistBench {
  MedmnistBench() {
    const auto plain = [](ConvBlock3dOptions options) {
      return ConvBlock3d(options.norm(false).activation(Activation::identity));
    };
    first = ConvBlock3d(ConvBlock3dOptions(1, 6, 7).padding(2).replicate(1));
    second = ConvBlock3d(ConvBlock3dOptions(6, 12, 5).padding(2));
    first_skip = plain(ConvBlock3dOptions(1, 12, 7).padding(2).replicate(1));
    third = ConvBlock3d(ConvBlock3dOptions(12, 24, 3)
                            .stride(2)
                            .padding(1)
                            .pool_kernel(5)
                            .pool_stride(2)
                            .pool_padding(1));
    fourth = ConvBlock3d(ConvBlock3dOptions(24, 36, 3).stride(2).padding(2));
    second_skip = plain(ConvBlock3dOptions(12, 36, 3));
    fifth = ConvBlock3d(ConvBlock3dOptions(36, 36, 3).padding(1).pool_kernel(3));
    sixth = plain(ConvBlock3dOptions(36, 48, 1));
    third_skip = plain(ConvBlock3dOptions(36, 48, 3));
  }

  at::Tensor encode(const at::Tensor& x) {
    const Pool five{{5, 5, 5}, {2, 2, 2}, {1, 1, 1}};
    const Pool bare{{5, 5, 5}, {2, 2, 2}, {0, 0, 0}};
    auto y = average_pool(second(first(x)) + first_skip(x), five);
    y = fourth(third(y)) + second_skip(average_pool(y, bare));
    y = sixth(fifth(y)) + third_skip(y);
    return y.flatten(1);
  }

  std::vector<at::Tensor> parameters() const {
    std::vector<at::Tensor> all;
    for (const auto& block :
         {first, second, first_skip, third, fourth, second_skip, fifth, sixth, third_skip})
      for (const auto& parameter : block->parameters()) all.push_back(parameter);
    return all;
  }

  ConvBlock3d first{nullptr}, second{nullptr}, first_skip{nullptr}, third{nullptr};
  ConvBlock3d fourth{nullptr}, second_skip{nullptr}, fifth{nullptr}, sixth{nullptr};
  ConvBlock3d third_skip{nullptr};
};

// Output and gradients of one pass under a choice of kernels; gradients are cleared.
template <class Encode>
std::vector<at::Tensor> pass(Kernels choice, const std::vector<at::Tensor>& parameters,
                             const Encode& encode) {
  const KernelsScope scope(choice);
  const auto out = encode();
  auto results = torch::autograd::grad({out.pow(2).mean()}, parameters);
  results.push_back(out.detach());
  return results;
}

// Gradients relative to the largest of all: those of biases before a batch norm are rounding.
bool agree(const std::vector<at::Tensor>& ours, const std::vector<at::Tensor>& theirs) {
  double largest = 0.0;
  double error = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    largest = std::max(largest, theirs[i].abs().max().item<double>());
    error = std::max(error, (ours[i] - theirs[i]).abs().max().item<double>());
  }
  return error < 1e-3 * largest;
}

template <class Encode>
BenchRow network_row(const BenchSettings& settings, const std::string& name, Kernels choice,
                     const std::vector<at::Tensor>& parameters, const Encode& encode) {
  const bool same =
      agree(pass(choice, parameters, encode), pass(Kernels::torch, parameters, encode));
  return race(
      settings, name, "LibTorch", same, 0.0, [&] { pass(choice, parameters, encode); },
      [&] { pass(Kernels::torch, parameters, encode); });
}

}  // namespace

DdmnistBench::DdmnistBench() {
  blocks.emplace_back(ConvBlock2dOptions(1, 6, 7).padding(2).replicate(1));
  blocks.emplace_back(
      ConvBlock2dOptions(6, 12, 5).padding(2).pool_kernel(5).pool_stride(2).pool_padding(1));
  blocks.emplace_back(
      ConvBlock2dOptions(12, 24, 3).stride(2).padding(2).pool_kernel(5).pool_stride(2).pool_padding(
          1));
  blocks.emplace_back(ConvBlock2dOptions(24, 36, 3).stride(2));
  blocks.emplace_back(ConvBlock2dOptions(36, 36, 3).padding(1).pool_kernel(5).pool_padding(1));
  blocks.emplace_back(ConvBlock2dOptions(36, 66, 1).norm(false).activation(Activation::identity));
  norm = torch::nn::BatchNorm1d(66);
  head = torch::nn::Linear(66, 100);
}

at::Tensor DdmnistBench::encode(const at::Tensor& x, std::int64_t streams) {
  auto value = x;
  for (auto& block : blocks) value = block->forward(value, streams);
  return value.flatten(1);
}

at::Tensor DdmnistBench::decode(const at::Tensor& z) {
  return head(torch::elu(norm(z)));
}

std::vector<at::Tensor> DdmnistBench::parameters() const {
  std::vector<at::Tensor> all;
  for (const auto& block : blocks)
    for (const auto& parameter : block->parameters()) all.push_back(parameter);
  for (const auto& parameter : norm->parameters()) all.push_back(parameter);
  for (const auto& parameter : head->parameters()) all.push_back(parameter);
  return all;
}

void DdmnistBench::set_formula_weights() {
  torch::NoGradGuard no_grad;
  const auto all = parameters();
  for (std::size_t number = 0; number < all.size(); ++number) {
    const auto& parameter = all[number];
    if (parameter.dim() == 1) continue;
    const double scale = 1.0 / std::sqrt(double(parameter[0].numel()));
    const auto places = torch::arange(1, parameter.numel() + 1, at::kDouble);
    const auto values = scale * torch::sin(12.9898 * places + double(number));
    parameter.copy_(values.view(parameter.sizes()));
  }
  for (auto& block : blocks) block->conv->bias.zero_();
  head->bias.zero_();
}

void DdmnistBench::zero_grad() {
  for (auto& parameter : parameters()) parameter.mutable_grad() = at::Tensor();
}

BenchRow medmnist_row(const BenchSettings& settings) {
  torch::manual_seed(1);
  MedmnistBench network;
  const auto x = torch::randn({32, 1, 28, 28, 28});
  return network_row(settings, "medmnist3d network, batch 32", Kernels::native,
                     network.parameters(), [&] { return network.encode(x); });
}

BenchRow smoke_row(const BenchSettings& settings) {
  torch::manual_seed(1);
  std::vector<ConvBlock2d> blocks;
  for (int i = 0; i < 4; ++i)
    blocks.emplace_back(
        ConvBlock2dOptions(i == 0 ? 20 : 92, 92, 3).padding(1).activation(Activation::relu));
  blocks.emplace_back(
      ConvBlock2dOptions(92, 2, 3).padding(1).norm(false).activation(Activation::identity));
  std::vector<at::Tensor> parameters;
  for (auto& block : blocks)
    for (const auto& parameter : block->parameters()) parameters.push_back(parameter);
  const auto x = torch::randn({16, 20, 64, 64});
  return network_row(settings, "smoke network, batch 16", Kernels::automatic, parameters, [&] {
    auto value = x;
    for (auto& block : blocks) value = block->forward(value);
    return value;
  });
}

}  // namespace algprior
