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
/// stop or wants a checkpoint, and the running averages of batch norms that each rank took over its
/// own samples.
class SharedStep {
 public:
  struct Wishes {
    bool stop = false;
    bool save = false;
  };

  SharedStep(const World& world, torch::nn::Module& module);

  /// After the forward pass. `values`: of the terms on this rank's samples. `average`: whether the
  /// running averages differ between the ranks.
  void begin(const NamedValues& values, double weight, const Wishes& wishes, bool average);
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
  bool average_ = false;
  Wishes wishes_;
};

}  // namespace algprior
