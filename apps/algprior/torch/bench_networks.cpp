// Whole networks, forward and backward, by our kernels and by LibTorch.

#include "algprior/nn/ddmnist.hpp"
#include "algprior/nn/fluids.hpp"
#include "algprior/nn/steerable/digits.hpp"
#include "algprior/nn/volumes.hpp"
#include "bench_cases.hpp"

#include <algorithm>

#include <torch/autograd.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace algprior {
namespace {

// Output and gradients of one pass under a choice of kernels; gradients are cleared.
template <class Encode>
std::vector<at::Tensor> pass(Kernels choice, const std::vector<at::Tensor>& parameters,
                             const Encode& encode) {
  const KernelsInTurn turn(choice);
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
BenchRow network_row(const BenchSettings& settings, const std::string& name,
                     const std::vector<at::Tensor>& parameters, double flops,
                     const Encode& encode) {
  const auto ours = [&] { return pass(Kernels::automatic, parameters, encode); };
  const auto theirs = [&] { return pass(Kernels::torch, parameters, encode); };
  const bool same = agree(ours(), theirs());
  return race(
      settings, {name, "LibTorch", same, flops}, [&] { ours(); }, [&] { theirs(); });
}

// All but those behind Z, which a pass to Z does not reach.
std::vector<at::Tensor> encoder_parameters(const Network& network) {
  std::vector<at::Tensor> parameters;
  for (const auto& item : network.module->named_parameters()) {
    if (item.key().starts_with("norm.") || item.key().starts_with("head.")) continue;
    parameters.push_back(item.value());
  }
  return parameters;
}

constexpr const char* kMedmnist = "medmnist3d network, batch 32";
constexpr const char* kSmoke = "smoke network, batch 16";
constexpr const char* kSteerable = "steerable C4 network, 256 pairs";

// Channels, kernel and side of the result of each convolution, in the order of the constructor.
constexpr int kMedmnistConvolutions[][4] = {
    {1, 6, 7, 27},  {6, 12, 5, 27}, {1, 12, 7, 27}, {12, 24, 3, 7}, {24, 36, 3, 3},
    {12, 36, 3, 3}, {36, 36, 3, 3}, {36, 48, 1, 1}, {36, 48, 3, 1},
};

BenchRow medmnist_row(const BenchSettings& settings) {
  const Network network = nn::make_volume_network(1);
  network.module->train();
  torch::manual_seed(1);
  const auto x = torch::randn({32, 1, 28, 28, 28});
  return network_row(settings, kMedmnist, encoder_parameters(network), medmnist_flops(32),
                     [&] { return network.forward(x).latents.at(0); });
}

BenchRow smoke_row(const BenchSettings& settings) {
  const Network network = nn::make_fluid_network(1);
  network.module->train();
  torch::manual_seed(1);
  const auto x = torch::randn({16, 20, 64, 64});
  return network_row(settings, kSmoke, network.module->parameters(), smoke_flops(false),
                     [&] { return network.forward(x).output; });
}

// Gates before and channels behind each convolution, kernel and side of its result.
constexpr int kSteerableConvolutions[][4] = {{1, 42, 7, 55},  {24, 84, 5, 55},  {48, 168, 3, 15},
                                             {96, 252, 3, 3}, {144, 252, 3, 3}, {144, 48, 1, 1}};

BenchRow steerable_row(const BenchSettings& settings) {
  steerable::DigitNetworkOptions options;
  options.group = "C4";
  const Network network = steerable::make_digit_network(1, options);
  network.module->train();
  torch::manual_seed(1);
  const auto x = torch::randn({kPairs, 1, 56, 56});
  return network_row(settings, kSteerable, encoder_parameters(network), steerable_flops(kPairs),
                     [&] { return network.forward(x).latents.at(0); });
}

std::string scaling_name(int pairs, int threads) {
  return "ddmnist network, " + std::to_string(pairs) + " pairs, " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

BenchRow scaling_row(const BenchSettings& settings, int pairs) {
  torch::manual_seed(1);
  const auto network = nn::make_ddmnist_network(0);
  network.module->train();
  const auto x = torch::randn({pairs, 1, 56, 56}), gx = torch::randn({pairs, 1, 56, 56});
  return network_row(settings, scaling_name(pairs, settings.threads), network.module->parameters(),
                     ddmnist_flops(2.0 * pairs), [&] {
                       const auto [first, second] = encode_pair(network, x, gx);
                       return torch::cat({first.output, second.output});
                     });
}

}  // namespace

double medmnist_flops(int volumes) {
  double total = 0.0;
  for (const auto& [in, out, kernel, side] : kMedmnistConvolutions) {
    const double passes = in > 1 ? 3.0 : 2.0;  // the volumes themselves need no gradient
    const double cells = static_cast<double>(kernel * side);
    total += passes * 2.0 * volumes * in * out * cells * cells * cells;
  }
  return total;
}

double steerable_flops(int images) {
  double total = 0.0;
  for (const auto& [in, out, kernel, side] : kSteerableConvolutions) {
    const double passes = in > 1 ? 3.0 : 2.0;  // the images themselves need no gradient
    total += passes * 2.0 * images * in * out * kernel * kernel * side * side;
  }
  return total;
}

double smoke_flops(bool input_gradient) {
  constexpr int kSide = 64, kBatch = 16, kIn = 20, kHidden = 92, kOut = 2;
  // Forward, and two gradients for all layers but the first, whose input may need none.
  const double a_channel = 2.0 * 9 * kSide * kSide * kBatch;
  return a_channel * ((input_gradient ? 3.0 : 2.0) * kIn * kHidden +
                      3.0 * (3.0 * kHidden * kHidden + kHidden * kOut));
}

std::vector<BenchCase> network_cases() {
  return {{kMedmnist, 0, medmnist_row}, {kSmoke, 0, smoke_row}, {kSteerable, 0, steerable_row}};
}

std::vector<BenchCase> scaling_cases(int threads) {
  std::vector<BenchCase> cases;
  for (int count = 1; count <= threads; count *= 2)
    for (const int pairs : {32, 64, 128, 256, 512, 1024})
      cases.push_back({scaling_name(pairs, count), count,
                       [pairs](const BenchSettings& s) { return scaling_row(s, pairs); }});
  return cases;
}

}  // namespace algprior
