// Planar 3×3 convolutions with stride 1, by our kernels and by LibTorch.

#include "algprior/kernel/conv_block.hpp"
#include "bench_cases.hpp"

#include <array>

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

struct PlanarLayer {
  const char* name;
  int batch, in, out, height, width;

  double flops() const { return 18.0 * batch * in * out * height * width; }
};

constexpr PlanarLayer kSmokeLayer = {"conv 92-92 3x3 at 16x64x64", 16, 92, 92, 64, 64};

// Layers of image classifiers, forward and backward.
constexpr PlanarLayer kPlanarLayers[] = {
    {"conv 32-32 3x3 at 8x96x192, forward and backward", 8, 32, 32, 96, 192},
    {"conv 64-64 3x3 at 8x48x96, forward and backward", 8, 64, 64, 48, 96},
    {"conv 128-128 3x3 at 8x24x48, forward and backward", 8, 128, 128, 24, 48},
};

struct PlanarRun {
  PlanarRun(const PlanarLayer& layer, bool wants_dx, bool wants_dweight) {
    torch::manual_seed(1);
    x = torch::randn({layer.batch, layer.in, layer.height, layer.width}).requires_grad_(wants_dx);
    weight = (torch::randn({layer.out, layer.in, 3, 3}) * 0.05).requires_grad_(wants_dweight);
    gradient = torch::randn({layer.batch, layer.out, layer.height, layer.width});
    config.padding = {0, 1, 1};
    config.activation = Activation::identity;
    if (wants_dx) inputs.push_back(x);
    if (wants_dweight) inputs.push_back(weight);
  }

  at::Tensor ours() const { return conv_block_native(x, weight, {}, {}, config); }
  at::Tensor theirs() const { return conv_block_torch(x, weight, {}, {}, config); }
  std::vector<at::Tensor> back(const at::Tensor& out) const {
    return torch::autograd::grad({out}, inputs, {gradient}, true);
  }
  bool agree() const {
    const auto our_out = ours(), their_out = theirs();
    if (!same_up_to(our_out.detach(), their_out.detach(), 1e-4)) return false;
    if (inputs.empty()) return true;
    const auto our_gradients = back(our_out), their_gradients = back(their_out);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!same_up_to(our_gradients[i], their_gradients[i], 1e-3)) return false;
    return true;
  }

  at::Tensor x, weight, gradient;
  std::vector<at::Tensor> inputs;
  ConvBlockConfig config;
};

BenchRow planar_forward(const BenchSettings& settings, const std::string& name) {
  const PlanarRun run(kSmokeLayer, false, false);
  return race(
      settings, {name, "LibTorch", run.agree(), kSmokeLayer.flops()}, [&] { run.ours(); },
      [&] { run.theirs(); });
}

// One gradient alone.
BenchRow planar_gradient(const BenchSettings& settings, const std::string& name, bool of_input) {
  const PlanarRun run(kSmokeLayer, of_input, !of_input);
  const bool agree = run.agree();
  const auto ours = run.ours(), theirs = run.theirs();
  return race(
      settings, {name, "LibTorch", agree, kSmokeLayer.flops()}, [&] { run.back(ours); },
      [&] { run.back(theirs); });
}

BenchRow planar_both(const BenchSettings& settings, const PlanarLayer& layer) {
  const PlanarRun run(layer, true, true);
  return race(
      settings, {layer.name, "LibTorch", run.agree(), 3.0 * layer.flops()},
      [&] { run.back(run.ours()); }, [&] { run.back(run.theirs()); });
}

}  // namespace

std::vector<BenchCase> planar_cases() {
  const std::string smoke = kSmokeLayer.name;
  const auto forward = smoke + ", forward";
  const auto input = smoke + ", input gradient";
  const auto weight = smoke + ", weight gradient";
  std::vector<BenchCase> cases = {
      {forward, 0, [=](const BenchSettings& s) { return planar_forward(s, forward); }},
      {input, 0, [=](const BenchSettings& s) { return planar_gradient(s, input, true); }},
      {weight, 0, [=](const BenchSettings& s) { return planar_gradient(s, weight, false); }},
  };
  for (const auto& layer : kPlanarLayers)
    cases.push_back(
        {layer.name, 0, [&layer](const BenchSettings& s) { return planar_both(s, layer); }});
  return cases;
}

}  // namespace algprior
