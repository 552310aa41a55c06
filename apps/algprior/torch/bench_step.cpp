// The DDMNIST training step and its parts, by our kernels, by plain LibTorch and by a Python
// script.

#include "algprior/action/latent.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/kernel/detail/augment.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/steerable/digits.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/train/optimizer.hpp"
#include "algprior/train/step.hpp"
#include "bench_cases.hpp"

#include <cmath>
#include <memory>
#include <numbers>

#include <torch/optim/adam.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

constexpr int kSide = 28;
constexpr int kDigits = 100;
constexpr int kLatent = 66;

const char kStepScript[] =
#include "ddmnist_step.inc"
    ;

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

Batch batch_of(const Inputs& in, const at::Tensor& x, const at::Tensor& gx) {
  return {x, gx, in.labels, in.labels, in.elements};
}

// x and g·x, or x alone.
enum class Streams { two, one };

Batch compose_native(const Inputs& in, Streams streams = Streams::two) {
  const bool two = streams == Streams::two;
  const auto x = torch::empty({in.count, 1, 2 * kSide, 2 * kSide});
  const auto gx = two ? torch::empty_like(x) : at::Tensor();
  compose_pairs({}, in.digits.data_ptr<std::uint8_t>(), kDigits, in.index.data(), in.count,
                in.first.data(), two ? in.second.data() : nullptr, x.data_ptr<float>(),
                two ? gx.data_ptr<float>() : nullptr);
  return batch_of(in, x, gx);
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

Batch compose_torch(const Inputs& in, int group, Streams streams = Streams::two) {
  auto images = in.digits.index_select(0, torch::tensor(in.index)).to(at::kFloat).div(255);
  images = move(images.unsqueeze(1), in.first, group);
  if (streams == Streams::one) return batch_of(in, paste(images), {});
  return batch_of(in, paste(images), paste(move(images, in.second, group)));
}

constexpr double kRate = 5e-4;

/// A row of the experiment: its network and what it loses.
struct DigitRow {
  Network network;
  Step step;
  Streams streams;
};

// The method, with weights by the script's formula.
DigitRow paper_row() {
  const auto network = nn::make_ddmnist_network(0);
  set_formula_weights(network);
  const auto prior = make_fixed_prior(regular_representation(make_group("D4xD4")), kLatent, 1.0);
  return {network, make_step({.fixed = prior}), Streams::two};
}

// The row ddmnist/c4-scnn.
DigitRow scnn_row() {
  steerable::DigitNetworkOptions options;
  options.group = "C4";
  const auto network = steerable::make_digit_network(0, options);
  network.module->train();
  return {network, make_step({.pairs = false}), Streams::one};
}

/// The step as `algprior train` takes it.
struct OurStep {
  explicit OurStep(DigitRow given) : row(std::move(given)) {}

  double operator()() {
    const auto total = row.step(row.network, compose_native(in, row.streams)).total();
    adam.zero_gradients();
    total.backward();
    adam.step();
    return total.item<double>();
  }

  Inputs in{kPairs};
  DigitRow row;
  Adam adam{*row.network.module, AdamOptions{kRate}};
};

/// The same in plain LibTorch: batched augmentation, two passes, LibTorch's optimizer.
struct TorchStep {
  explicit TorchStep(DigitRow given) : row(std::move(given)) { row.network.forward_pair = {}; }

  double operator()() {
    const KernelsInTurn turn(Kernels::torch);
    const auto batch = compose_torch(in, 2 * in.count, row.streams);
    const auto total = row.step(row.network, batch).total();
    adam.zero_grad();
    total.backward();
    adam.step();
    return total.item<double>();
  }

  Inputs in{kPairs};
  DigitRow row;
  torch::optim::Adam adam{row.network.module->parameters(), torch::optim::AdamOptions(kRate)};
};

TrainingStep step_of(Kernels kernels, DigitRow row) {
  if (kernels != Kernels::torch) {
    return [step = std::make_shared<OurStep>(std::move(row))] { return (*step)(); };
  }
  return [step = std::make_shared<TorchStep>(std::move(row))] { return (*step)(); };
}

constexpr const char* kStep = "ddmnist training step, 256 pairs, D4xD4";
constexpr const char* kPython = "ddmnist training step, against python";
constexpr const char* kMemory = "ddmnist training step, peak memory";
constexpr const char* kScnnStep = "ddmnist training step of C4 scnn, 256 pairs";
constexpr const char* kScnnMemory = "ddmnist training step of C4 scnn, peak memory";
constexpr const char* kAugmentation = "augmentation of 256 ddmnist pairs";
constexpr const char* kLatentAction = "latent action 256x66, D4xD4";

BenchRow augmentation_row(const BenchSettings& settings) {
  const Inputs in(kPairs);
  const auto ours = compose_native(in), theirs = compose_torch(in, 1);
  const bool agree = same_up_to(ours.x, theirs.x, 1e-4) && same_up_to(ours.gx, theirs.gx, 1e-4);
  return race(
      settings, {kAugmentation, "grid_sample, one image a call", agree},
      [&] { compose_native(in); }, [&] { compose_torch(in, 1); });
}

BenchRow latent_row(const BenchSettings& settings) {
  const Inputs in(kPairs);
  const auto representation = regular_representation(make_group("D4xD4"));
  const auto action = latent_action(representation, kLatent);
  auto dense = torch::zeros({64, kLatent, kLatent});
  dense.scatter_(2, action.places().unsqueeze(2), 1.0);
  const auto z = torch::randn({kPairs, kLatent});
  const auto masked = [&] {
    auto moved = torch::zeros_like(z);
    for (int g = 0; g < 64; ++g)
      moved = moved + (in.elements == g).unsqueeze(1).to(at::kFloat) * z.mm(dense[g].t());
    return moved;
  };
  const bool agree = same_up_to(action(in.elements, z), masked(), 1e-6);
  return race(
      settings, {kLatentAction, "masked dense products", agree}, [&] { action(in.elements, z); },
      [&] { masked(); });
}

}  // namespace

TrainingStep ddmnist_step(Kernels kernels) {
  return step_of(kernels, paper_row());
}

TrainingStep scnn_step(Kernels kernels) {
  return step_of(kernels, scnn_row());
}

std::vector<BenchCase> step_cases() {
  const double flops = ddmnist_flops(2 * kPairs);
  const auto against_torch = [=](const BenchSettings& settings) {
    return training_row(settings, {kStep, "LibTorch, batched", false, flops}, ddmnist_step);
  };
  const auto against_python = [=](const BenchSettings& settings) {
    return python_row(settings, {kPython, "python3-torch, as published", false, flops},
                      ddmnist_step, kStepScript);
  };
  const auto memory = [](const BenchSettings& settings) {
    return memory_row(settings, kMemory, "ddmnist");
  };
  const auto scnn = [](const BenchSettings& settings) {
    return training_row(settings, {kScnnStep, "LibTorch, batched", false, steerable_flops(kPairs)},
                        scnn_step);
  };
  const auto scnn_memory = [](const BenchSettings& settings) {
    return memory_row(settings, kScnnMemory, "scnn");
  };
  return {{kStep, 0, against_torch},     {kPython, 0, against_python},
          {kMemory, 0, memory},          {kScnnStep, 0, scnn},
          {kScnnMemory, 0, scnn_memory}, {kAugmentation, 0, augmentation_row},
          {kLatentAction, 0, latent_row}};
}

}  // namespace algprior
