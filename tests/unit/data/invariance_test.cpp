// What an invariant network cannot know: where the label is how a figure lies.
#include "algprior/action/planar.hpp"
#include "algprior/data/voxel_shapes.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/seeded.hpp"

#include <functional>

#include <gtest/gtest.h>
#include <torch/nn.h>
#include <torch/optim/adam.h>

namespace algprior {
namespace {

using Classifier = std::function<at::Tensor(const at::Tensor& x)>;

torch::nn::Sequential make_classifier() {
  namespace tn = torch::nn;
  const SeededInitialisation seeded(1);
  tn::Sequential net;  // one statement a layer, so that the order of the weights is fixed
  net->push_back(tn::AvgPool3d(2));
  net->push_back(tn::Conv3d(tn::Conv3dOptions(1, 8, 4).stride(2)));
  net->push_back(tn::BatchNorm3d(8));
  net->push_back(tn::ReLU());
  net->push_back(tn::Conv3d(8, 16, 3));
  net->push_back(tn::BatchNorm3d(16));
  net->push_back(tn::ReLU());
  net->push_back(tn::AdaptiveMaxPool3d(1));
  net->push_back(tn::Flatten());
  net->push_back(tn::Linear(16, 3));
  return net;
}

double accuracy(const Classifier& classify, const at::Tensor& x, const at::Tensor& y) {
  const at::NoGradGuard no_gradient;
  return classify(x).argmax(1).eq(y).to(at::kFloat).mean().item<double>();
}

at::Tensor standardised(const LabelledVolumes& part) {
  return part.volumes.to(at::kFloat) / 255 - 0.2;
}

// A classifier learns the axis; averaged over the orbit of its input, it is right exactly one time
// in three on whole orbits, whatever its weights: the answer is the same for all 24 of an orbit,
// and each axis is the label of 8.
TEST(Invariance, AnInvariantNetworkFailsWhereTheLabelIsTheOrientation) {
  const VolumeSplits splits = make_voxel_axes(1, 384, 3, 96);
  const auto x = standardised(splits.train);
  auto net = make_classifier();
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(1e-2));
  for (int epoch = 0; epoch < 15; ++epoch) {
    for (std::int64_t at = 0; at < x.size(0); at += 32) {
      optimizer.zero_grad();
      const auto y = splits.train.labels.narrow(0, at, 32);
      torch::nn::functional::cross_entropy(net->forward(x.narrow(0, at, 32)), y).backward();
      optimizer.step();
    }
  }
  net->eval();
  const Classifier plain = [&](const at::Tensor& volumes) { return net->forward(volumes); };
  EXPECT_GT(accuracy(plain, standardised(splits.test), splits.test.labels), 0.55);

  const Group cube = make_group("cube");
  const Action turn = volume_action(cube), turn_label = volume_label_action(cube, splits);
  const Classifier invariant = [&](const at::Tensor& volumes) {
    at::Tensor sum;
    for (Element g = 0; g < cube.order(); ++g) {
      const auto answer = plain(turn(g, volumes));
      sum = sum.defined() ? sum + answer : answer;
    }
    return sum;
  };
  const auto some = standardised(splits.test).narrow(0, 0, 1);
  std::vector<at::Tensor> orbit, labels;
  for (Element g = 0; g < cube.order(); ++g) {
    orbit.push_back(turn(g, some));
    labels.push_back(turn_label(g, splits.test.labels.narrow(0, 0, 1)));
  }
  EXPECT_NEAR(accuracy(invariant, at::cat(orbit), at::cat(labels)), 1.0 / 3, 1e-6);
}

}  // namespace
}  // namespace algprior
