#pragma once

#include "algprior/nn/network.hpp"

#include <functional>
#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/optim/adam.h>

namespace algprior {

/// Some steps on one batch: the first and the last loss on the data.
struct LittleTraining {
  double first = 0, last = 0;
};

/// Trains on one batch with the network's own terms. Every parameter must get a gradient in the
/// first step, and must have moved after the last.
inline LittleTraining train_a_little(const Network& network, const at::Tensor& x,
                                     const std::function<at::Tensor(const at::Tensor&)>& loss,
                                     int steps, double rate, const std::string& name) {
  network.module->train();
  const auto parameters = network.module->named_parameters();
  std::vector<at::Tensor> starts;
  for (const auto& item : parameters) starts.push_back(item.value().detach().clone());
  torch::optim::Adam adam(network.module->parameters(), torch::optim::AdamOptions(rate));
  LittleTraining result;
  for (int step = 0; step < steps; ++step) {
    const auto lost = loss(network.forward(x).output);
    (step == 0 ? result.first : result.last) = lost.item<double>();
    auto total = lost;
    if (network.terms) {
      for (const Term& term : network.terms()) total = total + term.weight * term.value;
    }
    adam.zero_grad();
    total.backward();
    for (const auto& item : parameters) {
      if (step > 0) break;
      const auto& gradient = item.value().grad();
      EXPECT_TRUE(gradient.defined()) << name << ": no gradient of " << item.key();
      if (!gradient.defined()) continue;
      EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << name << ": " << item.key();
      EXPECT_GT(gradient.abs().max().item<double>(), 0) << name << ": no pull on " << item.key();
    }
    adam.step();
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_FALSE(at::equal(parameters[i].value(), starts[i]))
        << name << ": stays as it is: " << parameters[i].key();
  }
  return result;
}

}  // namespace algprior
