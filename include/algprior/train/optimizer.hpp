#pragma once

#include "algprior/kernel/adam.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace torch::nn {
class Module;
}

namespace torch::optim {
class Optimizer;
}

namespace algprior {

/// What a trainer asks of an optimizer: a value made of functions. The state goes into checkpoints
/// and comes back to the bit.
struct Optimizer {
  using State = std::map<std::string, at::Tensor>;

  std::function<void()> zero_gradients;
  /// One step with every learning rate multiplied by `factor` (the schedule's).
  std::function<void(double factor)> step;
  std::function<State()> state;
  std::function<void(const State& state)> set_state;
};

/// Parameters whose names start with `prefix` learn with other settings. The longest prefix wins;
/// the group with the empty prefix is the default.
struct ParameterGroup {
  std::string prefix;
  AdamOptions options;
};

/// Adam and AdamW over a module's parameters, with a state that has names: it goes into checkpoints
/// and comes back to the bit.
///
/// The parameters of a group and their gradients become views of two flat buffers, so that a step
/// is one pass (kernel/adam.hpp) and zeroing the gradients one fill, whatever the number of
/// tensors. A parameter that never received a gradient stays as it is. Tensors that someone
/// replaced in the meantime (a gradient set to none, a parameter given other data) are taken into
/// the buffers again at the next step. Two buffers for the moments beside parameters and gradients.
class Adam {
 public:
  Adam(const torch::nn::Module& module, const AdamOptions& options);
  /// Throws InputError when a prefix matches no parameter or a setting is out of range.
  Adam(const torch::nn::Module& module, const std::vector<ParameterGroup>& groups);

  void zero_gradients();
  /// One step with every learning rate multiplied by `factor` (the schedule's). Throws InputError
  /// when a parameter moved to another device or dtype since the optimizer was made.
  void step(double factor = 1.0);

  std::int64_t steps() const noexcept { return steps_; }

  using State = std::map<std::string, at::Tensor>;
  /// "first/<parameter>" and "second/<parameter>" moments, and "steps". Copies, on the CPU.
  State state() const;
  /// Throws InputError when names or shapes differ, and then changes nothing.
  void set_state(const State& state);

 private:
  /// One parameter; all but the first are views of its group's buffers.
  struct Slot {
    std::string name;
    at::Tensor parameter;
    std::int64_t offset;
    at::Tensor value, gradient, first, second;
  };
  /// Parameters of one group, one device and one dtype.
  struct Flat {
    AdamOptions options;
    std::vector<Slot> slots;
    at::Tensor value, gradient, first, second;
  };
  static void lay_out(Flat& flat);
  static void collect(Slot& slot);

  std::vector<Flat> flats_;
  std::int64_t steps_ = 0;
};

Optimizer to_optimizer(std::shared_ptr<Adam> adam);

/// Any optimizer of LibTorch that steps without a closure (SGD, RMSprop, Adagrad, Adam, AdamW):
///
///     options.optimizer = [](const torch::nn::Module& net) {
///       return algprior::to_optimizer(std::make_shared<torch::optim::SGD>(
///           net.parameters(), torch::optim::SGDOptions(0.1).momentum(0.9)));
///     };
///
/// Its learning rates are those that it has now, times the schedule's factor. Its state is kept as
/// LibTorch serialises it, by a reader that trusts its bytes: resume such runs only from
/// checkpoints of your own.
Optimizer to_optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer);

}  // namespace algprior
