#include "torch/bench_cases.hpp"

#include "algprior/base/parallel.hpp"
#include "algprior/kernel/conv_block.hpp"
#include "algprior/kernel/peak.hpp"

#include <chrono>

#include <nlohmann/json.hpp>
#include <torch/torch.h>

namespace algprior {
namespace {

struct Layer {
  const char* name;
  int batch, in, out, kernel, stride, padding, side, replicate, pool_kernel, pool_stride;
  int pool_padding;
  bool norm;
};

constexpr int kPairs = 256;

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
    const double out_side =
        (layer.side + layer.replicate + 2 * layer.padding - layer.kernel) / layer.stride + 1;
    flops = 2.0 * layer.batch * layer.in * layer.out * layer.kernel * layer.kernel * out_side *
            out_side;
  }

  at::Tensor forward(Block block) { return block(x, weight, bias, norm, config); }

  void clear() {
    for (auto tensor : {x, weight, bias, norm.weight, norm.bias})
      if (tensor.defined()) tensor.mutable_grad() = at::Tensor();
  }

  at::Tensor x, weight, bias;
  BatchNormTensors norm;
  ConvBlockConfig config;
  double flops = 0.0;
};

bool close(const at::Tensor& ours, const at::Tensor& theirs, double tolerance) {
  const double largest = theirs.abs().max().item<double>();
  return (ours - theirs).abs().max().item<double>() <= tolerance * largest;
}

bool agrees(LayerRun& run) {
  const auto ours = run.forward(conv_block_native);
  const auto gradient = torch::randn(ours.sizes());
  ours.backward(gradient);
  const auto our_weight = run.weight.grad().clone();
  run.clear();
  const auto theirs = run.forward(conv_block_torch);
  theirs.backward(gradient);
  const bool agree =
      close(ours.detach(), theirs.detach(), 1e-4) && close(our_weight, run.weight.grad(), 1e-3);
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
  const double passes = layer.in > 1 ? 3.0 : 2.0;
  return race(
      settings, layer.name, "LibTorch", agree, passes * run.flops, [&] { pass(conv_block_native); },
      [&] { pass(conv_block_torch); });
}

BenchRow forward_row(const BenchSettings& settings) {
  LayerRun run(kThin);
  const bool agree = agrees(run);
  torch::NoGradGuard no_grad;
  return race(
      settings, std::string(kThin.name) + " at 256x55x55, forward", "LibTorch", agree, run.flops,
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
      settings, std::string(kThin.name) + " at 256x55x55, backward", "LibTorch", agree,
      2.0 * run.flops, [&] { back(ours); }, [&] { back(theirs); });
}

}  // namespace

double measure_peak(int threads) {
  set_thread_count(threads);
  std::vector<double> peaks(static_cast<std::size_t>(threads));
  parallel_for(threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) peaks[i] = fma_peak();
  });
  double total = 0.0;
  for (const double peak : peaks) total += peak;
  return total;
}

BenchRow race(const BenchSettings& settings, const std::string& name, const std::string& peer,
              bool agree, double flops, const std::function<void()>& ours,
              const std::function<void()>& theirs) {
  const auto time = [](const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  };
  BenchRow row{name, peer, time(ours), time(theirs), 0.0, 0.0, 0.0, agree};
  for (int i = 0; i < settings.repetitions; ++i) {
    row.ours_ms = std::min(row.ours_ms, time(ours));
    row.peer_ms = std::min(row.peer_ms, time(theirs));
  }
  row.ratio = row.peer_ms / row.ours_ms;
  row.gflops = flops * 1e-6 / row.ours_ms;
  if (settings.fma_peak > 0.0) row.peak_share = row.gflops / settings.fma_peak;
  return row;
}

std::vector<BenchCase> bench_cases(const BenchSettings& settings, bool scaling) {
  std::vector<BenchCase> cases;
  for (const auto& layer : kLayers)
    cases.push_back({layer.name, [&layer](const BenchSettings& s) { return layer_row(s, layer); }});
  cases.push_back({std::string(kThin.name) + " at 256x55x55, forward", forward_row});
  cases.push_back({std::string(kThin.name) + " at 256x55x55, backward", backward_row});
  for (auto& entry : step_cases(settings, scaling)) cases.push_back(std::move(entry));
  return cases;
}

std::string to_json(const std::vector<BenchRow>& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : rows)
    list.push_back({{"case", row.name},
                    {"peer", row.peer},
                    {"ours_ms", row.ours_ms},
                    {"peer_ms", row.peer_ms},
                    {"ratio", row.ratio},
                    {"gflops", row.gflops},
                    {"peak_share", row.peak_share},
                    {"agree", row.agree}});
  return list.dump(2);
}

}  // namespace algprior
