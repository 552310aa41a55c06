#pragma once

#include "algprior/action/latent.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/nn/seeded.hpp"
#include "algprior/rep/constructions.hpp"

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>

namespace algprior::toy {

/// A classifier of vectors in R^4 under C4 (cyclic shifts), with batch norm and dropout: what a
/// resume can get wrong.
struct NetImpl : torch::nn::Module {
  NetImpl() {
    first = register_module("first", torch::nn::Linear(4, 12));
    norm = register_module("norm", torch::nn::BatchNorm1d(12));
    dropout = register_module("dropout", torch::nn::Dropout(0.2));
    latent = register_module("latent", torch::nn::Linear(12, 9));
    head = register_module("head", torch::nn::Linear(9, 3));
  }
  torch::nn::Linear first{nullptr}, latent{nullptr}, head{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
  torch::nn::Dropout dropout{nullptr};
};

inline Network network(std::uint64_t seed) {
  const SeededInitialisation seeded(seed);
  const auto net = std::make_shared<NetImpl>();
  return make_network({.module = net, .forward = [net](const at::Tensor& x) {
                         const auto hidden = net->dropout->forward(
                             at::elu(net->norm->forward(net->first->forward(x))));
                         const auto z = net->latent->forward(hidden);
                         return Encoded{net->head->forward(at::elu(z)), {z}};
                       }});
}

/// The label is invariant under shifts: how many coordinates are positive, capped.
inline Dataset dataset(std::int64_t size = 100) {
  static const Group group = make_group("C4");
  const auto x =
      at::arange(size * 4, at::kFloat).mul(0.7548).frac().mul(2).sub(1).reshape({size, 4});
  const auto y = x.gt(0).sum(1).sub(1).clamp(0, 2);
  const auto shift = latent_action(regular_representation(group), 4);
  return make_tensor_dataset("toy", {x, y}, shift, trivial_action(group), true);
}

}  // namespace algprior::toy
