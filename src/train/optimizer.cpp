#include "algprior/train/optimizer.hpp"

#include "algprior/base/error.hpp"

#include <cmath>
#include <set>
#include <tuple>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

void check_options(const AdamOptions& options) {
  const bool good = options.learning_rate >= 0.0 && std::isfinite(options.learning_rate) &&
                    options.beta1 >= 0.0 && options.beta1 < 1.0 && options.beta2 >= 0.0 &&
                    options.beta2 < 1.0 && options.epsilon > 0.0 && options.weight_decay >= 0.0 &&
                    std::isfinite(options.weight_decay);
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

bool is_view(const at::Tensor& tensor, const at::Tensor& view) {
  return tensor.data_ptr() == view.data_ptr() && tensor.strides().equals(view.strides());
}

}  // namespace

Adam::Adam(const torch::nn::Module& module, const AdamOptions& options)
    : Adam(module, std::vector<ParameterGroup>{{"", options}}) {}

Adam::Adam(const torch::nn::Module& module, const std::vector<ParameterGroup>& groups) {
  check_prefixes(groups, module);
  using Kind = std::tuple<const ParameterGroup*, std::string, at::ScalarType>;
  std::map<Kind, std::size_t> places;
  std::set<const at::TensorImpl*> seen;
  for (const auto& item : module.named_parameters()) {
    const auto& parameter = item.value();
    // A tensor that two modules share learns once, under its first name.
    if (!parameter.requires_grad() || !seen.insert(parameter.unsafeGetTensorImpl()).second)
      continue;
    const auto* group = best_group(groups, item.key());
    if (group == nullptr) {
      throw InputError({"a parameter belongs to no group", item.key(),
                        "a group whose prefix it starts with", "add a group with an empty prefix"});
    }
    const auto [place, fresh] = places.emplace(
        Kind{group, parameter.device().str(), parameter.scalar_type()}, flats_.size());
    if (fresh) flats_.push_back({group->options, {}, {}, {}, {}, {}});
    flats_[place->second].slots.push_back({item.key(), parameter, 0, {}, {}, {}, {}});
  }
  for (auto& flat : flats_) lay_out(flat);
}

void Adam::lay_out(Flat& flat) {
  const at::NoGradGuard no_gradient;
  std::vector<at::Tensor> pieces;
  for (const auto& slot : flat.slots) pieces.push_back(slot.parameter.detach().reshape(-1));
  flat.value = at::cat(pieces);
  flat.gradient = at::zeros_like(flat.value);
  flat.first = at::zeros_like(flat.value);
  flat.second = at::zeros_like(flat.value);
  std::int64_t offset = 0;
  for (auto& slot : flat.slots) {
    const auto view = [&](const at::Tensor& buffer) {
      return buffer.narrow(0, offset, slot.parameter.numel()).view(slot.parameter.sizes());
    };
    slot.offset = offset;
    slot.value = view(flat.value);
    slot.gradient = view(flat.gradient);
    slot.first = view(flat.first);
    slot.second = view(flat.second);
    slot.parameter.set_data(slot.value);
    offset += slot.value.numel();
  }
}

void Adam::zero_gradients() {
  for (auto& flat : flats_) {
    flat.gradient.zero_();
    for (auto& slot : flat.slots) {
      auto& gradient = slot.parameter.mutable_grad();
      if (gradient.defined()) gradient = slot.gradient;
    }
  }
}

void Adam::collect(Slot& slot) {
  auto& parameter = slot.parameter;
  if (!is_view(parameter, slot.value)) {
    if (parameter.device() != slot.value.device() ||
        parameter.scalar_type() != slot.value.scalar_type() ||
        !parameter.sizes().equals(slot.value.sizes())) {
      throw InputError({"a parameter changed its device, dtype or shape", slot.name,
                        "the parameter that the optimizer was made with",
                        "move the network before making the optimizer"});
    }
    slot.value.copy_(parameter);
    parameter.set_data(slot.value);
  }
  auto& gradient = parameter.mutable_grad();
  if (!gradient.defined() || is_view(gradient, slot.gradient)) return;
  slot.gradient.copy_(gradient);
  gradient = slot.gradient;
}

void Adam::step(double factor) {
  const at::NoGradGuard no_gradient;
  ++steps_;
  for (auto& flat : flats_) {
    auto options = flat.options;
    options.learning_rate *= factor;
    // Stretches of parameters that have gradients: as a rule one, the whole buffer.
    std::int64_t begin = 0, end = 0;
    const auto step_stretch = [&] {
      if (begin == end) return;
      const auto cut = [&](const at::Tensor& buffer) {
        return buffer.narrow(0, begin, end - begin);
      };
      adam_step(options, steps_, cut(flat.gradient), cut(flat.first), cut(flat.second),
                cut(flat.value));
    };
    for (auto& slot : flat.slots) {
      collect(slot);
      if (slot.parameter.grad().defined()) {
        // Whoever keeps something made from the parameter notices that it is out of date.
        slot.parameter.unsafeGetTensorImpl()->bump_version();
        end = slot.offset + slot.value.numel();
        continue;
      }
      step_stretch();
      begin = end = slot.offset + slot.value.numel();
    }
    step_stretch();
  }
}

Adam::State Adam::state() const {
  State state;
  state["steps"] = at::full({}, steps_, at::kLong);
  for (const auto& flat : flats_) {
    for (const auto& slot : flat.slots) {
      state["first/" + slot.name] = slot.first.to(at::kCPU).clone();
      state["second/" + slot.name] = slot.second.to(at::kCPU).clone();
    }
  }
  return state;
}

void Adam::set_state(const State& state) {
  const auto fits = [&](const std::string& name, const at::Tensor& own) {
    const auto found = state.find(name);
    return found != state.end() && found->second.sizes().equals(own.sizes());
  };
  bool good = state.contains("steps");
  std::size_t count = 0;
  for (const auto& flat : flats_) {
    for (const auto& slot : flat.slots) {
      good = good && fits("first/" + slot.name, slot.first) &&
             fits("second/" + slot.name, slot.second);
      ++count;
    }
  }
  if (!good || state.size() != 2 * count + 1) {
    throw InputError({"an optimizer state does not fit the network",
                      fmt::format("{} entries", state.size()),
                      fmt::format("two moments for each of {} parameters", count),
                      "resume with the network that was trained"});
  }
  steps_ = state.at("steps").item<std::int64_t>();
  for (auto& flat : flats_) {
    for (auto& slot : flat.slots) {
      slot.first.copy_(state.at("first/" + slot.name));
      slot.second.copy_(state.at("second/" + slot.name));
    }
  }
}

}  // namespace algprior
