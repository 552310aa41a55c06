// The SMOKE training step of the regular row: 16 windows, two streams, a rollout of six frames.

#include "algprior/action/planar.hpp"
#include "algprior/data/flows.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/fluids.hpp"
#include "algprior/train/optimizer.hpp"
#include "algprior/train/step.hpp"
#include "bench_cases.hpp"

#include <memory>

#include <torch/nn/module.h>
#include <torch/optim/adam.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

constexpr int kWindows = 16, kFrames = 6, kGrid = 64;
constexpr double kSmokeRate = 1e-3, kSmokeDecay = 4e-4, kSmokeWeight = 0.005;

struct SmokeStep {
  SmokeStep() {
    set_formula_weights(network);
    torch::manual_seed(1);
    x = torch::randn({kWindows, 20, kGrid, kGrid});
    y = torch::randn({kWindows, 2 * kFrames, kGrid, kGrid});
    g = torch::arange(kWindows).remainder(4);
  }

  // The pairs are made in every step, as a data set makes them.
  Terms terms() const {
    const Batch batch{x, velocity(g, x), y, velocity(g, y), g};
    return step(network, batch);
  }

  Group group = make_group("C4");
  Action velocity = velocity_action(group);
  at::Tensor x, y, g;
  Network network = nn::make_fluid_network(0);
  Step step = make_step({.task = regress(),
                         .rollout = Rollout{kFrames, advance_frames, flow_frame},
                         .fixed = FixedPrior({{0, planar_action(group)}}, kSmokeWeight)});
};

struct OurSmokeStep : SmokeStep {
  double operator()() {
    const auto total = terms().total();
    adam.zero_gradients();
    total.backward();
    adam.step();
    return total.item<double>();
  }
  static AdamOptions options() {
    AdamOptions options;
    options.learning_rate = kSmokeRate;
    options.weight_decay = kSmokeDecay;
    return options;
  }
  Adam adam{*network.module, options()};
};

struct TorchSmokeStep : SmokeStep {
  TorchSmokeStep() { network.forward_pair = {}; }
  double operator()() {
    const KernelsInTurn turn(Kernels::torch);
    const auto total = terms().total();
    adam.zero_grad();
    total.backward();
    adam.step();
    return total.item<double>();
  }
  torch::optim::Adam adam{network.module->parameters(),
                          torch::optim::AdamOptions(kSmokeRate).weight_decay(kSmokeDecay)};
};

constexpr const char* kSmokeCase = "smoke training step, rollout of 6";
constexpr const char* kSmokeMemory = "smoke training step, peak memory";

}  // namespace

TrainingStep smoke_step(Kernels kernels) {
  if (kernels != Kernels::torch) {
    return [step = std::make_shared<OurSmokeStep>()] { return (*step)(); };
  }
  return [step = std::make_shared<TorchSmokeStep>()] { return (*step)(); };
}

std::vector<BenchCase> smoke_cases() {
  // x, g·x, and five frames more, through whose inputs the gradient flows.
  const double flops = 2 * smoke_flops(false) + (kFrames - 1) * smoke_flops(true);
  const auto against_torch = [=](const BenchSettings& settings) {
    return training_row(settings, {kSmokeCase, "LibTorch", false, flops}, smoke_step);
  };
  const auto memory = [](const BenchSettings& settings) {
    return memory_row(settings, kSmokeMemory, "smoke");
  };
  return {{kSmokeCase, 0, against_torch}, {kSmokeMemory, 0, memory}};
}

}  // namespace algprior
