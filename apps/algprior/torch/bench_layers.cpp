#include "algprior/kernel/conv_block.hpp"
#include "bench_cases.hpp"

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

struct Layer {
  const char* name;
  int batch, in, out, kernel, stride, padding, side, replicate, pool_kernel, pool_stride;
  int pool_padding;
  bool norm;
};

// The DDMNIST network, x and g·x together.
constexpr Layer kLayers[] = {
    {"ddmnist layer 1: conv 1-6 7x7", 2 * kPairs, 1, 6, 7, 1, 2, 56, 1, 0, 1, 0, true},
    {"ddmnist layers 2-3: conv 6-12 5x5, pool", 2 * kPairs, 6, 12, 5, 1, 2, 55, 0, 5, 2, 1, true},
    {"ddmnist layers 4-5: conv 12-24 3x3, pool", 2 * kPairs, 12, 24, 3, 2, 2, 27, 0, 5, 2, 1, true},
    {"ddmnist layer 6: conv 24-36 3x3", 2 * kPairs, 24, 36, 3, 2, 0, 7, 0, 0, 1, 0, true},
    {"ddmnist layers 7-8: conv 36-36 3x3, pool", 2 * kPairs, 36, 36, 3, 1, 1, 3, 0, 5, 1, 1, true},
    {"ddmnist layer 9: conv 36-66 1x1", 2 * kPairs, 36, 66, 1, 1, 0, 1, 0, 0, 1, 0, false},
};

constexpr Layer kThin = {"conv 6-12 5x5", kPairs, 6, 12, 5, 1, 2, 55, 0, 0, 1, 0, false};

double forward_flops(const Layer& layer) {
  const double out_side =
      (layer.side + layer.replicate + 2 * layer.padding - layer.kernel) / layer.stride + 1;
  return 2.0 * layer.batch * layer.in * layer.out * layer.kernel * layer.kernel * out_side *
         out_side;
}

// Forward, the gradient of the weights, and that of the input unless these are the images.
double training_flops(const Layer& layer) {
  return (layer.in > 1 ? 3.0 : 2.0) * forward_flops(layer);
}

using Block = at::Tensor (*)(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                             const BatchNormTensors&, const ConvBlockConfig&);

struct LayerRun {
  explicit LayerRun(const Layer& layer) {
    torch::manual_seed(1);
    x = torch::randn({layer.batch, layer.in, layer.side, layer.side});
    x.requires_grad_(layer.in > 1);  // the images themselves need no gradient
    weight = (torch::randn({layer.out, layer.in, layer.kernel, layer.kernel}) * 0.2);
    weight.requires_grad_();
    bias = torch::zeros({layer.out}).requires_grad_();
    if (layer.norm)
      norm = {torch::ones({layer.out}).requires_grad_(), torch::zeros({layer.out}).requires_grad_(),
              torch::zeros({layer.out}), torch::ones({layer.out})};
    config.stride = {1, layer.stride, layer.stride};
    config.padding = {0, layer.padding, layer.padding};
    config.replicate = {0, layer.replicate, layer.replicate};
    config.activation = layer.norm ? Activation::elu : Activation::identity;
    if (layer.pool_kernel > 0)
      config.pool = {{1, layer.pool_kernel, layer.pool_kernel},
                     {1, layer.pool_stride, layer.pool_stride},
                     {0, layer.pool_padding, layer.pool_padding}};
    config.streams = layer.norm ? 2 : 1;
  }

  at::Tensor forward(Block block) { return block(x, weight, bias, norm, config); }

  void clear() {
    for (auto tensor : {x, weight, bias, norm.weight, norm.bias})
      if (tensor.defined()) tensor.mutable_grad() = at::Tensor();
  }

  at::Tensor x, weight, bias;
  BatchNormTensors norm;
  ConvBlockConfig config;
};

bool agrees(LayerRun& run) {
  const auto ours = run.forward(conv_block_native);
  const auto gradient = torch::randn(ours.sizes());
  ours.backward(gradient);
  const auto our_weight = run.weight.grad().clone();
  run.clear();
  const auto theirs = run.forward(conv_block_torch);
  theirs.backward(gradient);
  const bool agree = same_up_to(ours.detach(), theirs.detach(), 1e-4) &&
                     same_up_to(our_weight, run.weight.grad(), 1e-3);
  run.clear();
  return agree;
}

BenchRow layer_row(const BenchSettings& settings, const Layer& layer) {
  LayerRun run(layer);
  const bool agree = agrees(run);
  const auto pass = [&run](Block block) {
    const auto out = run.forward(block);
    out.backward(torch::ones_like(out));
    run.clear();
  };
  return race(
      settings, {layer.name, "LibTorch", agree, training_flops(layer)},
      [&] { pass(conv_block_native); }, [&] { pass(conv_block_torch); });
}

constexpr const char* kForward = "conv 6-12 5x5 at 256x55x55, forward";
constexpr const char* kBackward = "conv 6-12 5x5 at 256x55x55, backward";

BenchRow forward_row(const BenchSettings& settings) {
  LayerRun run(kThin);
  const bool agree = agrees(run);
  const torch::NoGradGuard no_grad;
  return race(
      settings, {kForward, "LibTorch", agree, forward_flops(kThin)},
      [&] { run.forward(conv_block_native); }, [&] { run.forward(conv_block_torch); });
}

BenchRow backward_row(const BenchSettings& settings) {
  LayerRun run(kThin);
  const bool agree = agrees(run);
  const auto ours = run.forward(conv_block_native);
  const auto theirs = run.forward(conv_block_torch);
  const auto gradient = torch::randn(ours.sizes());
  const auto back = [&](const at::Tensor& out) {
    torch::autograd::grad({out}, {run.x, run.weight, run.bias}, {gradient}, true);
  };
  return race(
      settings, {kBackward, "LibTorch", agree, 2.0 * forward_flops(kThin)}, [&] { back(ours); },
      [&] { back(theirs); });
}

}  // namespace

double ddmnist_flops(double images) {
  double total = 0.0;
  for (const auto& layer : kLayers) total += training_flops(layer);
  return total * images / kLayers[0].batch;
}

std::vector<BenchCase> layer_cases() {
  std::vector<BenchCase> cases = {{kForward, 0, forward_row}, {kBackward, 0, backward_row}};
  for (const auto& layer : kLayers)
    cases.push_back(
        {layer.name, 0, [&layer](const BenchSettings& s) { return layer_row(s, layer); }});
  return cases;
}

}  // namespace algprior
