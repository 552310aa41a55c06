#include "algprior/train/optimizer.hpp"

#include "algprior/base/error.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

void check_options(const AdamOptions& options) {
  const bool good = options.learning_rate >= 0.0 && std::isfinite(options.learning_rate) &&
                    options.beta1 >= 0.0 && options.beta1 < 1.0 && options.beta2 >= 0.0 &&
                    options.beta2 < 1.0 && options.epsilon > 0.0 && options.weight_decay >= 0.0;
  if (good) return;
  throw InputError({"an optimizer setting is out of range",
                    fmt::format("learning rate {}, beta {} {}, epsilon {}, weight decay {}",
                                options.learning_rate, options.beta1, options.beta2,
                                options.epsilon, options.weight_decay),
                    "learning rate >= 0, 0 <= beta < 1, epsilon > 0, weight decay >= 0", ""});
}

const ParameterGroup* best_group(const std::vector<ParameterGroup>& groups,
                                 const std::string& name) {
  const ParameterGroup* best = nullptr;
  for (const auto& group : groups) {
    if (!name.starts_with(group.prefix)) continue;
    if (best == nullptr || group.prefix.size() > best->prefix.size()) best = &group;
  }
  return best;
}

void check_prefixes(const std::vector<ParameterGroup>& groups, const torch::nn::Module& module) {
  for (const auto& group : groups) {
    check_options(group.options);
    bool used = false;
    for (const auto& item : module.named_parameters()) {
      used = used || item.key().starts_with(group.prefix);
    }
    if (used) continue;
    throw InputError({"no parameter has this prefix", fmt::format("\"{}\"", group.prefix),
                      "the beginning of a parameter's name", "list them with named_parameters()"});
  }
}

}  // namespace

Adam::Adam(const torch::nn::Module& module, const AdamOptions& options)
    : Adam(module, std::vector<ParameterGroup>{{"", options}}) {}

Adam::Adam(const torch::nn::Module& module, const std::vector<ParameterGroup>& groups) {
  check_prefixes(groups, module);
  for (const auto& item : module.named_parameters()) {
    if (!item.value().requires_grad()) continue;
    const auto* group = best_group(groups, item.key());
    if (group == nullptr) {
      throw InputError({"a parameter belongs to no group", item.key(),
                        "a group whose prefix it starts with", "add a group with an empty prefix"});
    }
    const auto zeros = at::zeros_like(item.value(), at::MemoryFormat::Preserve).detach();
    slots_.push_back({item.key(), item.value(), zeros, zeros.clone(), group->options});
  }
}

void Adam::zero_gradients() {
  for (auto& slot : slots_) slot.parameter.mutable_grad().reset();
}

void Adam::step(double factor) {
  const at::NoGradGuard no_gradient;
  ++steps_;
  for (auto& slot : slots_) {
    if (slot.parameter.grad().defined()) step_slot(slot, factor);
  }
}

void Adam::step_slot(Slot& slot, double factor) {
  const auto& options = slot.options;
  const double rate = options.learning_rate * factor;
  auto gradient = slot.parameter.grad();
  if (options.weight_decay != 0.0) {
    if (options.decoupled) {
      slot.parameter.mul_(1.0 - rate * options.weight_decay);
    } else {
      gradient = gradient.add(slot.parameter, options.weight_decay);
    }
  }
  const auto count = static_cast<double>(steps_);
  const double correction1 = 1.0 - std::pow(options.beta1, count);
  const double correction2 = 1.0 - std::pow(options.beta2, count);
  slot.first.mul_(options.beta1).add_(gradient, 1.0 - options.beta1);
  slot.second.mul_(options.beta2).addcmul_(gradient, gradient, 1.0 - options.beta2);
  const auto denominator = (slot.second.sqrt() / std::sqrt(correction2)).add_(options.epsilon);
  slot.parameter.addcdiv_(slot.first, denominator, -rate / correction1);
}

Adam::State Adam::state() const {
  State state;
  state["steps"] = at::full({}, steps_, at::kLong);
  for (const auto& slot : slots_) {
    state["first/" + slot.name] = slot.first.to(at::kCPU).clone();
    state["second/" + slot.name] = slot.second.to(at::kCPU).clone();
  }
  return state;
}

void Adam::set_state(const State& state) {
  const auto fits = [&](const std::string& name, const at::Tensor& own) {
    const auto found = state.find(name);
    return found != state.end() && found->second.sizes().equals(own.sizes());
  };
  bool good = state.size() == 2 * slots_.size() + 1 && state.contains("steps");
  for (const auto& slot : slots_) {
    good =
        good && fits("first/" + slot.name, slot.first) && fits("second/" + slot.name, slot.second);
  }
  if (!good) {
    throw InputError({"an optimizer state does not fit the network",
                      fmt::format("{} entries", state.size()),
                      fmt::format("two moments for each of {} parameters", slots_.size()),
                      "resume with the network that was trained"});
  }
  steps_ = state.at("steps").item<std::int64_t>();
  for (auto& slot : slots_) {
    slot.first.copy_(state.at("first/" + slot.name));
    slot.second.copy_(state.at("second/" + slot.name));
  }
}

}  // namespace algprior
