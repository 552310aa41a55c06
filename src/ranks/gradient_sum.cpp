#include "algprior/ranks/gradient_sum.hpp"

#include "algprior/base/error.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace algprior {

struct GradientSum::State {
  struct Bucket {
    std::vector<std::size_t> members;  // numbers of parameters
    at::Tensor values;
    std::size_t missing = 0;
    World::Pending sum;
  };

  State(const World& world_, std::vector<at::Tensor> parameters_)
      : world(world_), parameters(std::move(parameters_)) {}

  const World& world;
  std::vector<at::Tensor> parameters;
  std::vector<std::size_t> bucket_of;
  std::vector<Bucket> buckets;
  std::vector<char> ready;
  std::size_t next = 0;  // the bucket to send next
  bool open = false;
  // Autograd itself holds these nodes weakly.
  std::vector<std::pair<std::shared_ptr<torch::autograd::Node>, std::uintptr_t>> hooks;

  ~State() {
    for (const auto& [node, key] : hooks) node->del_post_hook(key);
  }

  void mark(std::size_t parameter) {
    if (!open || ready[parameter] != 0) return;
    ready[parameter] = 1;
    --buckets[bucket_of[parameter]].missing;
    while (next < buckets.size() && buckets[next].missing == 0) send(buckets[next++]);
  }

  // Calls `visit` with each gradient and its place in the bucket.
  template <class Visit>
  void each(Bucket& bucket, Visit&& visit) {
    const at::NoGradGuard no_gradient;
    std::int64_t begin = 0;
    for (const std::size_t member : bucket.members) {
      const auto& parameter = parameters[member];
      visit(parameter.grad(), bucket.values.narrow(0, begin, parameter.numel()));
      begin += parameter.numel();
    }
  }

  void send(Bucket& bucket) {
    each(bucket, [](const at::Tensor& gradient, at::Tensor place) {
      if (gradient.defined()) {
        place.copy_(gradient.reshape(-1));
      } else {
        place.zero_();
      }
    });
    bucket.sum = world.begin_sum(bucket.values);
  }

  void receive(Bucket& bucket) {
    bucket.sum.wait();
    each(bucket, [](at::Tensor gradient, const at::Tensor& place) {
      if (gradient.defined()) gradient.copy_(place.view(gradient.sizes()));
    });
  }
};

namespace {

// Called by autograd when a parameter has its gradient.
template <class State>
struct ReadyHook : torch::autograd::FunctionPostHook {
  ReadyHook(std::weak_ptr<State> state_, std::size_t parameter_)
      : state(std::move(state_)), parameter(parameter_) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list&) override {
    if (const auto alive = state.lock()) alive->mark(parameter);
    return outputs;
  }
  std::weak_ptr<State> state;
  std::size_t parameter;
};

}  // namespace

GradientSum::GradientSum(const World& world, std::vector<at::Tensor> parameters,
                         std::int64_t bucket_bytes)
    : state_(std::make_shared<State>(world, std::move(parameters))) {
  auto& state = *state_;
  if (bucket_bytes < 1) {
    throw InputError({"gradients cannot be summed in such buckets",
                      fmt::format("{} bytes", bucket_bytes), "at least 1", ""});
  }
  for (std::size_t i = 0; i < state.parameters.size(); ++i) {
    if (state.parameters[i].defined() && state.parameters[i].is_leaf()) continue;
    throw InputError({"a gradient cannot be summed over ranks", fmt::format("parameter {}", i),
                      "a parameter of a module", ""});
  }
  if (world.alone()) return;
  const std::size_t count = state.parameters.size();
  state.bucket_of.resize(count);
  state.ready.resize(count);
  std::int64_t bytes = 0;
  for (std::size_t i = count; i-- > 0;) {
    const auto& parameter = state.parameters[i];
    const auto size = static_cast<std::int64_t>(parameter.nbytes());
    const bool fits = !state.buckets.empty() && bytes + size <= bucket_bytes &&
                      state.buckets.back().values.scalar_type() == parameter.scalar_type() &&
                      state.buckets.back().values.device() == parameter.device();
    if (!fits) {
      state.buckets.emplace_back();
      state.buckets.back().values =
          at::empty({0}, at::device(parameter.device()).dtype(parameter.scalar_type()));
      bytes = 0;
    }
    bytes += size;
    state.buckets.back().members.push_back(i);
    state.bucket_of[i] = state.buckets.size() - 1;
  }
  for (auto& bucket : state.buckets) {
    std::int64_t numbers = 0;
    for (const std::size_t member : bucket.members) numbers += state.parameters[member].numel();
    bucket.values = at::empty({numbers}, bucket.values.options());
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!state.parameters[i].requires_grad()) continue;
    const auto node = torch::autograd::impl::grad_accumulator(state.parameters[i]);
    state.hooks.emplace_back(node,
                             node->add_post_hook(std::make_unique<ReadyHook<State>>(state_, i)));
  }
}

GradientSum::~GradientSum() = default;

void GradientSum::begin() {
  auto& state = *state_;
  std::fill(state.ready.begin(), state.ready.end(), char{0});
  for (auto& bucket : state.buckets) bucket.missing = bucket.members.size();
  state.next = 0;
  state.open = true;
}

void GradientSum::finish() {
  auto& state = *state_;
  state.open = false;
  // Those that wait for a parameter without a gradient in this step.
  while (state.next < state.buckets.size()) state.send(state.buckets[state.next++]);
  for (auto& bucket : state.buckets) state.receive(bucket);
}

std::size_t GradientSum::buckets() const noexcept {
  return state_->buckets.size();
}

}  // namespace algprior
