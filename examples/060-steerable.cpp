// A steerable network for a group that moves pixels off the grid: D6, by resampling. It learns to
// tell three blobs in a row from three in a triangle on upright images, which then are turned.
// Run: example_060. Ends with the accuracy on turned images of equivariant and of free kernels.
#include <cstdio>

#include <torch/torch.h>

#include <algprior/prior.hpp>

using namespace algprior;
using namespace algprior::steerable;

struct Net : torch::nn::Module {
  Net(const SteeringPtr& group, KernelMap (*map)(const KernelSpace&)) {
    const Fields scalar{field_of_irreps(group, {0}), 1}, hidden{field_of_all_irreps(group), 4};
    const Fields gated{with_gates(hidden.type), 4}, features{scalar.type, 8};
    const KernelSpace a{scalar, gated, make_spatial_basis({.kernel = 7})};
    const KernelSpace b{hidden, features, make_spatial_basis({.kernel = 7})};
    first = register_module("first", SteerableConv(a, map(a), ConvOptions{.padding = 3}));
    gate = register_module("gate", Gate(hidden));
    second = register_module("second", SteerableConv(b, map(b), ConvOptions{.padding = 3}));
    head = register_module("head", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return head(torch::elu(second(gate(first(x)))).mean({2, 3}));
  }
  SteerableConv first{nullptr}, second{nullptr};
  Gate gate{nullptr};
  torch::nn::Linear head{nullptr};
};

int main() {
  const auto action = planar_action(make_group("D6"), Resampling::bilinear);
  const auto place = torch::arange(17) - 8.0;
  const auto blob = [&](double u, double v) {
    return torch::exp(-((place - u).square() + (place - v).square().unsqueeze(1)) / 3);
  };
  const auto line = blob(-4, 0) + blob(0, 0) + blob(4, 0);
  const auto triangle = blob(-3, -2) + blob(3, -2) + blob(0, 3);
  const auto draw = [&](const torch::Tensor& y) {
    return torch::where(y.view({-1, 1, 1, 1}) == 1, line, triangle) +
           0.2 * torch::randn({y.size(0), 1, 17, 17});
  };
  for (const bool equivariant : {true, false}) {
    torch::manual_seed(0);
    Net net(make_steering(action.group(), Grid::sampled), equivariant ? projected : free_kernel);
    torch::optim::Adam optimizer(net.parameters(), 0.01);
    for (int step = 0; step < 60; ++step) {
      const auto y = torch::randint(0, 2, {32}, torch::kLong);
      optimizer.zero_grad();
      torch::cross_entropy_loss(net.forward(draw(y)), y).backward();
      optimizer.step();
    }
    const auto y = torch::randint(0, 2, {200}, torch::kLong);
    const auto turned = action(sample_elements(action.group(), 200, RandomKey(1, "g")), draw(y));
    const double right = net.forward(turned).argmax(1).eq(y).sum().item<double>() / 200;
    std::printf("%s kernels: accuracy %.2f\n", equivariant ? "equivariant" : "free", right);
  }
}
