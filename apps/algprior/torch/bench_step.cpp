#include "algprior/kernel/augment.hpp"
#include "algprior/kernel/flat_adam.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/kernel/latent.hpp"
#include "torch/bench_cases.hpp"
#include "torch/bench_networks.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include <nlohmann/json.hpp>
#include <torch/torch.h>

namespace algprior {
namespace {

constexpr int kSide = 28;
constexpr int kDigits = 100;
constexpr int kLatent = 66;
constexpr int kPairs = 256;

// r^k1 s^f1 · r^k2 s^f2 in D4, index 4f + k.
int product(int a, int b) {
  const int turns = a >= 4 ? a % 4 - b % 4 : a % 4 + b % 4;
  return 4 * ((a / 4 + b / 4) % 2) + (turns + 4) % 4;
}

// Gather table of the regular representation of D4×D4 on 64 + 2 coordinates.
at::Tensor latent_table() {
  auto table = torch::empty({64, kLatent}, at::kLong);
  auto entries = table.accessor<std::int64_t, 2>();
  for (int g = 0; g < 64; ++g)
    for (int k = 0; k < kLatent; ++k) {
      if (k >= 64) {
        entries[g][k] = k;
        continue;
      }
      // ρ(g) e_h = e_{gh}: coordinate gh of the result comes from coordinate h.
      const int target = 8 * product(g / 8, k / 8) + product(g % 8, k % 8);
      entries[g][target] = k;
    }
  return table;
}

// The inputs follow from formulas that oracles/python/ddmnist_step.py shares.
struct Inputs {
  explicit Inputs(int pairs) : count(pairs) {
    const auto m = torch::arange(kDigits).view({-1, 1});
    const auto p = torch::arange(kSide * kSide).view({1, -1});
    digits = ((m * 131 + p * 17 + (p * p).remainder(97)).remainder(256))
                 .to(at::kByte)
                 .view({kDigits, kSide, kSide})
                 .contiguous();
    labels = torch::arange(pairs).mul(13).remainder(100);
    elements = torch::empty({pairs}, at::kLong);
    for (int n = 0; n < pairs; ++n) {
      index.push_back(7 * n % kDigits);
      index.push_back((11 * n + 3) % kDigits);
      elements[n] = 8 * element(2 * n, 1) + element(2 * n + 1, 1);
    }
    for (int digit = 0; digit < 2 * pairs; ++digit) {
      first.push_back(motion(digit, 0));
      second.push_back(motion(digit, 1));
    }
  }

  static int element(int digit, int stage) { return (digit * 5 + stage * 3) % 8; }
  static ImageMotion motion(int digit, int stage) {
    const int e = element(digit, stage);
    return {static_cast<float>((digit * 37 + stage * 101) % 360 - 180), e % 4, e >= 4, true};
  }

  int count;
  at::Tensor digits, labels, elements;
  std::vector<std::int64_t> index;
  std::vector<ImageMotion> first, second;
};

at::Tensor compose_native(const Inputs& in) {
  auto both = torch::empty({2 * in.count, 1, 2 * kSide, 2 * kSide});
  float* x = both.data_ptr<float>();
  compose_pairs({}, in.digits.data_ptr<std::uint8_t>(), kDigits, in.index.data(), in.count,
                in.first.data(), in.second.data(), x, x + both.numel() / 2);
  return both;
}

at::Tensor rotate(const at::Tensor& images, const std::vector<double>& degrees) {
  auto theta = torch::empty({images.size(0), 2, 3});
  auto entries = theta.accessor<float, 3>();
  for (std::int64_t n = 0; n < images.size(0); ++n) {
    const double angle = degrees[n] * std::numbers::pi / 180.0;
    entries[n][0][0] = entries[n][1][1] = static_cast<float>(std::cos(angle));
    entries[n][1][0] = static_cast<float>(std::sin(angle));
    entries[n][0][1] = -entries[n][1][0];
    entries[n][0][2] = entries[n][1][2] = 0.0f;
  }
  const auto grid = at::affine_grid_generator(theta, images.sizes(), false);
  return at::grid_sampler(images, grid, 0, 0, false);
}

// `group` images at a time: all of them, or one as published code does.
at::Tensor move(const at::Tensor& images, const std::vector<ImageMotion>& motions, int group) {
  std::vector<at::Tensor> moved;
  for (std::int64_t begin = 0; begin < images.size(0); begin += group) {
    auto part = images.slice(0, begin, begin + group);
    std::vector<double> there, back;
    auto flips = torch::empty({part.size(0), 1, 1, 1}, at::kBool);
    for (std::int64_t n = 0; n < part.size(0); ++n) {
      const auto& m = motions[begin + n];
      there.push_back(double(m.angle));
      back.push_back(90.0 * m.turns - double(m.angle));
      flips.data_ptr<bool>()[n] = m.flip;
    }
    part = torch::where(flips, part.flip(3), part);
    moved.push_back(rotate(rotate(part, there), back));
  }
  return torch::cat(moved);
}

at::Tensor paste(const at::Tensor& images) {
  const auto pairs = images.view({-1, 2, kSide, kSide});
  auto canvas = torch::zeros({pairs.size(0), 1, 2 * kSide, 2 * kSide});
  auto rows = canvas.slice(2, kSide / 2, kSide / 2 + kSide);
  rows.slice(3, 0, kSide).copy_(pairs.slice(1, 0, 1));
  rows.slice(3, kSide).copy_(pairs.slice(1, 1, 2));
  return (canvas - 0.06535) / 0.555068;
}

at::Tensor compose_torch(const Inputs& in, int group) {
  auto images = in.digits.index_select(0, torch::tensor(in.index)).to(at::kFloat).div(255);
  images = move(images.unsqueeze(1), in.first, group);
  const auto x = paste(images);
  return torch::cat({x, paste(move(images, in.second, group))});
}

// ½·CE + ½·CE + MSE of one batch, the way of the kernels or LibTorch's.
at::Tensor loss_of(DdmnistBench& network, const at::Tensor& both, const Inputs& in,
                   const at::Tensor& table) {
  const auto latents = network.encode(both, 2);
  const auto z = latents.narrow(0, 0, in.count), zg = latents.narrow(0, in.count, in.count);
  return 0.5 * torch::nll_loss(torch::log_softmax(network.decode(z), 1), in.labels) +
         0.5 * torch::nll_loss(torch::log_softmax(network.decode(zg), 1), in.labels) +
         gather_equivariance_loss(z, zg, table, in.elements);
}

struct StepBench {
  StepBench() : in(kPairs), table(latent_table()), ours(), theirs() {
    ours.set_formula_weights();
    theirs.set_formula_weights();
    flat = std::make_unique<FlatAdam>(
        std::vector<FlatAdam::Group>{{ours.parameters(), {5e-4, 0.9, 0.999, 1e-8, 0.0, false}}});
    adam =
        std::make_unique<torch::optim::Adam>(theirs.parameters(), torch::optim::AdamOptions(5e-4));
  }

  double step_ours() {
    const KernelsScope scope(Kernels::native);
    const auto loss = loss_of(ours, compose_native(in), in, table);
    flat->zero_gradients();
    loss.backward();
    flat->step();
    return loss.item<double>();
  }

  double step_theirs() {
    const KernelsScope scope(Kernels::torch);
    const auto loss = loss_of(theirs, compose_torch(in, 2 * in.count), in, table);
    adam->zero_grad();
    loss.backward();
    adam->step();
    return loss.item<double>();
  }

  Inputs in;
  at::Tensor table;
  DdmnistBench ours, theirs;
  std::unique_ptr<FlatAdam> flat;
  std::unique_ptr<torch::optim::Adam> adam;
};

constexpr const char* kStep = "ddmnist training step, 256 pairs, D4xD4";

BenchRow step_row(const BenchSettings& settings) {
  StepBench bench;
  // Two steps: the second sees the optimizers' work.
  bool agree = true;
  for (int i = 0; i < 2; ++i)
    agree = std::abs(bench.step_ours() - bench.step_theirs()) < 1e-4 && agree;
  return race(
      settings, kStep, "LibTorch, batched", agree, 0.0, [&] { bench.step_ours(); },
      [&] { bench.step_theirs(); });
}

BenchRow python_row(const BenchSettings& settings) {
  const std::string command = "/usr/bin/python3 " + settings.python_script +
                              " --steps 3 --threads " + std::to_string(settings.threads);
  std::string text;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    std::array<char, 256> part;
    while (std::fgets(part.data(), part.size(), pipe)) text += part.data();
    pclose(pipe);
  }
  const auto peer = nlohmann::json::parse(text, nullptr, false);
  StepBench bench;
  const double loss = bench.step_ours();
  const bool ran = peer.is_object();
  auto row = race(
      settings, kStep, "python3-torch, as published", ran, 0.0, [&] { bench.step_ours(); }, [] {});
  row.peer_ms = ran ? peer["ms"].get<double>() : 0.0;
  row.ratio = row.peer_ms / row.ours_ms;
  row.agree = ran && std::abs(loss - peer["loss"].get<double>()) < 1e-4;
  return row;
}

BenchRow augmentation_row(const BenchSettings& settings) {
  const Inputs in(kPairs);
  const bool agree = (compose_native(in) - compose_torch(in, 1)).abs().max().item<double>() < 1e-4;
  return race(
      settings, "augmentation of 256 ddmnist pairs", "grid_sample, one image a call", agree, 0.0,
      [&] { compose_native(in); }, [&] { compose_torch(in, 1); });
}

BenchRow latent_row(const BenchSettings& settings) {
  const Inputs in(kPairs);
  const auto table = latent_table();
  auto dense = torch::zeros({64, kLatent, kLatent});
  dense.scatter_(2, table.unsqueeze(2), 1.0);
  const auto z = torch::randn({kPairs, kLatent});
  const auto masked = [&] {
    auto moved = torch::zeros_like(z);
    for (int g = 0; g < 64; ++g)
      moved = moved + (in.elements == g).unsqueeze(1).to(at::kFloat) * z.mm(dense[g].t());
    return moved;
  };
  const KernelsScope scope(Kernels::native);
  const bool agree = at::allclose(gather_places(z, table, in.elements), masked());
  return race(
      settings, "latent action 256x66, D4xD4", "masked dense products", agree, 0.0,
      [&] { gather_places(z, table, in.elements); }, [&] { masked(); });
}

BenchRow scaling_row(const BenchSettings& settings, int pairs) {
  torch::manual_seed(1);
  DdmnistBench network;
  const auto x = torch::randn({2 * pairs, 1, 2 * kSide, 2 * kSide});
  const auto pass = [&](Kernels choice) {
    const KernelsScope scope(choice);
    network.encode(x, 2).pow(2).mean().backward();
    network.zero_grad();
  };
  return race(
      settings, "ddmnist network, batch " + std::to_string(pairs), "LibTorch", true, 0.0,
      [&] { pass(Kernels::native); }, [&] { pass(Kernels::torch); });
}

}  // namespace

std::vector<BenchCase> step_cases(const BenchSettings& settings, bool scaling) {
  std::vector<BenchCase> cases = {
      {kStep, step_row},
      {"medmnist3d network, batch 32", medmnist_row},
      {"smoke network, batch 16", smoke_row},
      {"augmentation of 256 ddmnist pairs", augmentation_row},
      {"latent action 256x66, D4xD4", latent_row},
  };
  if (std::ifstream(settings.python_script).good())
    cases.push_back({std::string(kStep) + ", against python", python_row});
  if (scaling)
    for (const int pairs : {32, 64, 128, 256, 512, 1024})
      cases.push_back({"ddmnist network, batch " + std::to_string(pairs),
                       [pairs](const BenchSettings& s) { return scaling_row(s, pairs); }});
  return cases;
}

}  // namespace algprior
