// A network of your own with one loss term more: a small CNN tells a plus from a cross under noise,
// and its latent layer is asked to carry the regular representation of D4, turns and flips. Data:
// made here. Run: example_010, five seconds. Ends with accuracy 1.00 and an equivariance error of
// about 1.2 without the prior, 0.02 with it.
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/prior/equivariance.hpp"
#include "algprior/rep/constructions.hpp"

#include <cstdio>

#include <torch/torch.h>

struct Net : torch::nn::Module {  // any module: nothing of the library is in it
  Net() {
    conv = register_module("conv", torch::nn::Conv2d(1, 8, 3));
    latent = register_module("latent", torch::nn::Linear(8 * 36, 20));
    head = register_module("head", torch::nn::Linear(20, 2));
  }
  auto encode(torch::Tensor x) { return latent(torch::relu(conv(x)).flatten(1)); }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::Linear latent{nullptr}, head{nullptr};
};

int main() {
  using namespace algprior;
  const auto group = make_group("D4");
  const auto action = planar_action(group);
  const auto latent = latent_action(regular_representation(group), 20);  // 2 copies, 4 fixed
  const auto cross = torch::eye(8).maximum(torch::eye(8).flip(0));
  const auto middle = (torch::arange(8) - 3.5).abs() < 1;
  const auto plus = middle.logical_or(middle.unsqueeze(1)).to(torch::kFloat);
  for (const double lambda : {0.0, 1.0}) {
    torch::manual_seed(0);
    Net net;
    torch::optim::Adam optimizer(net.parameters(), 3e-3);
    torch::Tensor z, zg, g, y, logits;
    for (int step = 0; step < 400; ++step) {
      y = torch::randint(0, 2, {64}, torch::kLong);
      const auto shown = torch::where(y.view({-1, 1, 1, 1}) == 1, cross, plus);
      const auto x = shown + 0.5 * torch::randn({64, 1, 8, 8});
      g = sample_elements(group, 64, RandomKey(0, "example").at(step));
      z = net.encode(x), zg = net.encode(action(g, x)), logits = net.head(zg);
      auto loss = 0.5 * torch::cross_entropy_loss(net.head(z), y) +
                  0.5 * torch::cross_entropy_loss(logits, y) +
                  lambda * equivariance_loss(latent, z, zg, g);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    }
    const auto error = (equivariance_loss(latent, z, zg, g) / z.var(0, false).mean()).sqrt();
    const auto accuracy = logits.argmax(1).eq(y).to(torch::kFloat).mean();
    std::printf("lambda %.0f: accuracy %.2f, equivariance error %.2f\n", lambda,
                accuracy.item<double>(), error.item<double>());
  }
}
