#include "algprior/kernel/flat_adam.hpp"

#include "adam.hpp"
#include "algprior/base/error.hpp"
#include "algprior/kernel/kernels.hpp"

#include <cmath>
#include <string>

#include <torch/torch.h>

namespace algprior {
namespace {

void check(const FlatAdam::Group& group) {
  const auto fail = [](const std::string& where, const std::string& expected) {
    throw InputError({"Adam cannot take a group of parameters", where, expected,
                      "split the parameters into groups that fit"});
  };
  if (group.parameters.empty()) fail("no parameters", "at least one");
  for (const auto& parameter : group.parameters)
    if (!parameter.is_leaf() || parameter.device() != group.parameters[0].device() ||
        parameter.scalar_type() != group.parameters[0].scalar_type())
      fail("parameters of several devices or dtypes, or not leaves", "leaves of one kind");
  const auto& o = group.options;
  const bool sound = o.learning_rate >= 0 && o.beta1 >= 0 && o.beta1 < 1 && o.beta2 >= 0 &&
                     o.beta2 < 1 && o.epsilon >= 0 && o.weight_decay >= 0;
  if (!sound) fail("its settings", "β in [0, 1), the others not negative");
}

void step_torch(const kernel::AdamStep& s, const at::Tensor& gradient, at::Tensor& first,
                at::Tensor& second, at::Tensor& parameter) {
  parameter.mul_(s.keep);
  const auto g = s.l2 != 0.0f ? gradient.add(parameter, s.l2) : gradient;
  first.mul_(s.beta1).add_(g, s.rest1);
  second.mul_(s.beta2).addcmul_(g, g, s.rest2);
  parameter.addcdiv_(first, second.sqrt().mul_(s.second_factor).add_(s.epsilon), -s.step_size);
}

}  // namespace

FlatAdam::FlatAdam(std::vector<Group> groups) {
  torch::NoGradGuard no_grad;
  for (auto& group : groups) {
    check(group);
    Flat flat;
    flat.parameters = std::move(group.parameters);
    flat.options = group.options;
    std::vector<at::Tensor> pieces;
    for (const auto& parameter : flat.parameters) pieces.push_back(parameter.detach().reshape(-1));
    flat.parameter = at::cat(pieces);
    flat.gradient = at::zeros_like(flat.parameter);
    flat.first = at::zeros_like(flat.parameter);
    flat.second = at::zeros_like(flat.parameter);
    std::int64_t offset = 0;
    for (auto& parameter : flat.parameters) {
      const auto shape = parameter.sizes().vec();
      const auto size = parameter.numel();
      flat.gradients.push_back(flat.gradient.narrow(0, offset, size).view(shape));
      if (parameter.grad().defined()) flat.gradients.back().copy_(parameter.grad());
      parameter.set_data(flat.parameter.narrow(0, offset, size).view(shape));
      parameter.mutable_grad() = flat.gradients.back();
      offset += size;
    }
    groups_.push_back(std::move(flat));
  }
}

void FlatAdam::zero_gradients() {
  for (auto& flat : groups_) {
    flat.gradient.zero_();
    for (std::size_t i = 0; i < flat.parameters.size(); ++i)
      flat.parameters[i].mutable_grad() = flat.gradients[i];
  }
}

void FlatAdam::collect(Flat& flat) {
  for (std::size_t i = 0; i < flat.parameters.size(); ++i) {
    auto& gradient = flat.parameters[i].mutable_grad();
    if (gradient.defined() && gradient.data_ptr() == flat.gradients[i].data_ptr()) continue;
    if (gradient.defined())
      flat.gradients[i].copy_(gradient);
    else
      flat.gradients[i].zero_();
    gradient = flat.gradients[i];
  }
}

void FlatAdam::step() {
  torch::NoGradGuard no_grad;
  ++steps_;
  for (auto& flat : groups_) {
    collect(flat);
    const auto& o = flat.options;
    const auto t = static_cast<double>(steps_);
    kernel::AdamStep s{};
    s.beta1 = static_cast<float>(o.beta1);
    s.beta2 = static_cast<float>(o.beta2);
    s.rest1 = static_cast<float>(1.0 - o.beta1);
    s.rest2 = static_cast<float>(1.0 - o.beta2);
    s.epsilon = static_cast<float>(o.epsilon);
    s.step_size = static_cast<float>(o.learning_rate / (1.0 - std::pow(o.beta1, t)));
    s.second_factor = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(o.beta2, t)));
    s.l2 = o.decoupled ? 0.0f : static_cast<float>(o.weight_decay);
    s.keep = o.decoupled ? static_cast<float>(1.0 - o.learning_rate * o.weight_decay) : 1.0f;
    if (kernels() != Kernels::torch && flat.parameter.device().is_cpu() &&
        flat.parameter.scalar_type() == at::kFloat) {
      kernel::adam_step(s, flat.gradient.data_ptr<float>(), flat.gradient.numel(),
                        flat.first.data_ptr<float>(), flat.second.data_ptr<float>(),
                        flat.parameter.data_ptr<float>());
    } else {
      step_torch(s, flat.gradient, flat.first, flat.second, flat.parameter);
    }
  }
}

}  // namespace algprior
