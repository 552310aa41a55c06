#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Settings of a group of parameters, LibTorch's defaults.
struct FlatAdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  bool decoupled = false;  ///< weight decay shrinks the parameters (AdamW), else it is an L2 term
};

/// Adam over one flat buffer a group: parameters and their gradients become views of it, so that a
/// step is one pass whatever the number of tensors, and zeroing the gradients one fill. The same
/// numbers as torch::optim::Adam and AdamW, up to rounding. float32 on the CPU goes through the
/// SIMD kernel, anything else through LibTorch's operations on the flat buffer.
///
/// The parameters of a group share one device and one dtype. A gradient that is not a view of the
/// buffer any more (set to none, replaced) is copied in at the step and made a view again.
class FlatAdam {
 public:
  struct Group {
    std::vector<at::Tensor> parameters;
    FlatAdamOptions options;
  };

  /// Throws InputError for an empty group, mixed devices or dtypes, or settings out of range.
  explicit FlatAdam(std::vector<Group> groups);

  void zero_gradients();
  void step();

  std::size_t size() const noexcept { return groups_.size(); }
  /// A group's settings, e.g. for a schedule of the learning rate.
  FlatAdamOptions& options(std::size_t group) { return groups_.at(group).options; }

  /// What a checkpoint needs: the moments of each group, flat, and the number of steps.
  const at::Tensor& first_moment(std::size_t group) const { return groups_.at(group).first; }
  const at::Tensor& second_moment(std::size_t group) const { return groups_.at(group).second; }
  std::int64_t steps() const noexcept { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }

 private:
  struct Flat {
    std::vector<at::Tensor> parameters;
    std::vector<at::Tensor> gradients;  // views of `gradient`
    FlatAdamOptions options;
    at::Tensor parameter, gradient, first, second;
  };
  void collect(Flat& flat);

  std::vector<Flat> groups_;
  std::int64_t steps_ = 0;
};

}  // namespace algprior
