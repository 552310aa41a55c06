#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace torch::nn {
class Module;
}

namespace algprior {

/// Adam's settings. Weight decay is the classical L2 term added to the gradient (`decoupled` =
/// false) or the shrinking of AdamW (`decoupled` = true).
struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  bool decoupled = false;
};

/// Parameters whose names start with `prefix` learn with other settings. The longest prefix wins;
/// the group with the empty prefix is the default.
struct ParameterGroup {
  std::string prefix;
  AdamOptions options;
};

/// Adam and AdamW over a module's parameters, in the arithmetic of LibTorch's own optimizer, with a
/// state that has names: it goes into checkpoints and comes back to the bit. Cost: one pass over
/// the parameters with two buffers of their size.
class Adam {
 public:
  Adam(const torch::nn::Module& module, const AdamOptions& options);
  /// Throws InputError when a prefix matches no parameter or a setting is out of range.
  Adam(const torch::nn::Module& module, const std::vector<ParameterGroup>& groups);

  void zero_gradients();
  /// One step with every learning rate multiplied by `factor` (the schedule's).
  void step(double factor = 1.0);

  std::int64_t steps() const noexcept { return steps_; }

  using State = std::map<std::string, at::Tensor>;
  /// "first/<parameter>" and "second/<parameter>" moments, and "steps". Copies, on the CPU.
  State state() const;
  /// Throws InputError when names or shapes differ, and then changes nothing.
  void set_state(const State& state);

 private:
  struct Slot {
    std::string name;
    at::Tensor parameter;
    at::Tensor first;
    at::Tensor second;
    AdamOptions options;
  };
  void step_slot(Slot& slot, double factor);

  std::vector<Slot> slots_;
  std::int64_t steps_ = 0;
};

}  // namespace algprior
