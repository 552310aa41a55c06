#pragma once

#include "algprior/ranks/gradient_sum.hpp"
#include "algprior/ranks/world.hpp"

#include <string>
#include <utility>
#include <vector>

namespace torch::nn {
class Module;
}

namespace algprior {

using NamedValues = std::vector<std::pair<std::string, double>>;

/// What ranks exchange in a training step: gradients (GradientSum), and beside them, hidden behind
/// the backward pass, one small vector: the means of the loss's terms, whether someone was asked to
/// stop or wants a checkpoint, and the running averages of batch norms, which become the mean of
/// those that each rank took over its own samples; synchronised ones stay as they are.
class SharedStep {
 public:
  struct Wishes {
    bool stop = false;
    bool save = false;
  };

  SharedStep(const World& world, torch::nn::Module& module);

  /// After the forward pass. `values`: of the terms on this rank's samples.
  void begin(const NamedValues& values, double weight, const Wishes& wishes);
  /// After the backward pass: the values become those of the whole batch.
  void finish(NamedValues& values);
  /// What any of the ranks wished before the last step.
  const Wishes& wishes() const noexcept { return wishes_; }

 private:
  const World& world_;
  std::vector<at::Tensor> averages_;
  GradientSum gradients_;
  at::Tensor message_;
  World::Pending pending_;
  Wishes wishes_;
};

}  // namespace algprior
