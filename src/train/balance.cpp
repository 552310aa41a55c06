#include "algprior/train/balance.hpp"

#include "algprior/base/error.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/train/evaluate.hpp"
#include "trainer_state.hpp"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

/// Buffers (running averages) and generator as they were when this goes.
class UntouchedScope {
 public:
  explicit UntouchedScope(torch::nn::Module& module) : generator_(generator_state()) {
    for (const at::Tensor& buffer : module.buffers()) {
      buffers_.push_back(buffer);
      before_.push_back(buffer.clone());
    }
  }
  ~UntouchedScope() {
    const at::NoGradGuard no_gradient;
    for (std::size_t i = 0; i < buffers_.size(); ++i) buffers_[i].copy_(before_[i]);
    set_generator_state(generator_);
  }
  UntouchedScope(const UntouchedScope&) = delete;
  UntouchedScope& operator=(const UntouchedScope&) = delete;

 private:
  at::Tensor generator_;
  std::vector<at::Tensor> buffers_, before_;
};

std::vector<at::Tensor> gradients(const at::Tensor& value,
                                  const std::vector<at::Tensor>& parameters) {
  const bool keep = true, create = false, unused = true;
  return torch::autograd::grad({value}, parameters, {}, keep, create, unused);
}

// ‖∇‖ of each of the two, over the parameters that the first reaches.
struct TwoPulls {
  double term = 0, rest = 0;
};

TwoPulls two_pulls(const Terms& terms, std::string_view name,
                   const std::vector<at::Tensor>& parameters) {
  Terms term, rest;
  bool found = false;
  for (const Term& one : terms.all()) {
    const bool balanced = belongs_to(one, name);
    (balanced ? term : rest).add(one.name, one.value, one.weight);
    found = found || (balanced && one.weight != 0.0 && one.value.requires_grad());
  }
  if (!found) {
    throw InputError({"a balance is asked of a term that has no gradient",
                      fmt::format("\"{}\"", name),
                      "a prior on a layer that is trained, with a weight other than 0",
                      "set prior.balance = 0, or choose a prior.representation"});
  }
  const auto of_term = gradients(term.total(), parameters);
  const auto of_rest = gradients(rest.total(), parameters);
  TwoPulls squares;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!of_term[i].defined()) continue;
    squares.term += of_term[i].square().sum(at::kDouble).item<double>();
    if (of_rest[i].defined()) squares.rest += of_rest[i].square().sum(at::kDouble).item<double>();
  }
  return {std::sqrt(squares.term), std::sqrt(squares.rest)};
}

}  // namespace

double balanced_factor(const Balance& balance, const Network& network, const Step& step,
                       const Dataset& data, std::int64_t batch_size, const RandomKey& key) {
  const UntouchedScope untouched(*network.module);
  const ModeScope training(network, Mode::training);
  const auto parameters = network.module->parameters();
  const auto batches = shuffled_batches(data.size, batch_size, key);
  const auto count =
      std::min<std::size_t>(batches.size(), static_cast<std::size_t>(balance.batches));
  const auto device = device_of(network);
  TwoPulls sum;
  for (std::size_t i = 0; i < count; ++i) {
    const Terms terms = step(network, to_device(data.get(batches[i], key), device));
    const TwoPulls pulls = two_pulls(terms, balance.term, parameters);
    sum.term += pulls.term;
    sum.rest += pulls.rest;
  }
  const double factor = balance.ratio * sum.rest / sum.term;
  if (std::isfinite(factor) && factor > 0.0) return factor;
  throw InputError(
      {"a prior cannot be balanced against the task",
       fmt::format("{} pulls with {:.3g}, all other terms with {:.3g}", balance.term,
                   sum.term / static_cast<double>(count), sum.rest / static_cast<double>(count)),
       "two gradients that are not zero",
       "set prior.weight instead of prior.balance, or another prior.representation"});
}

}  // namespace algprior
