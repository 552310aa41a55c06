#include "algprior/kernel/conv_block.hpp"
#include "recycled_tensor.hpp"
#include "tail.hpp"
#include "tensors.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace algprior {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

// What the backward pass needs besides tensors.
struct State : torch::CustomClassHolder {
  ConvBlockConfig config;
  ConvShape shape;
  kernel::Tail tail;
  std::vector<double> deviation;  // 1/σ of each stream and channel
  bool normalised = false;
  bool biased = false;
  bool wants_dx = true;
  bool wants_dweight = true;
  std::optional<WeakTensor> y;         // while somebody keeps it
  c10::intrusive_ptr<State> producer;  // of x, where what x is made of is kept instead of x
  bool tailed = false;                 // something follows the convolution
  bool forgets = false;                // y is not kept but computed again
  at::Tensor again;                    // y, computed by the block behind for this one to use
};

std::vector<std::int64_t> sizes(std::int64_t batch, int channels, const std::array<int, 3>& size,
                                int axes) {
  std::vector<std::int64_t> result = {batch, channels};
  result.insert(result.end(), size.end() - axes, size.end());
  return result;
}

// LibTorch's autograd takes no undefined inputs: an empty tensor stands for one.
at::Tensor or_empty(const at::Tensor& tensor, const at::Tensor& like) {
  return tensor.defined() ? tensor : at::empty({0}, like.options());
}

const float* data(const at::Tensor& tensor) {
  return tensor.defined() && tensor.numel() > 0 ? tensor.data_ptr<float>() : nullptr;
}

// Batch norm as an affine map per stream and channel; updates the running averages stream by
// stream.
void normalise(State& state, const Moments* planes, const BatchNormTensors& norm) {
  auto& tail = state.tail;
  const auto& config = state.config;
  const auto moments = config.training ? kernel::stream_moments(tail, planes)
                                       : std::vector<Moments>(tail.per_channel.size());
  const auto count = static_cast<double>(tail.stream * tail.in_size());
  float* running_mean = norm.running_mean.data_ptr<float>();
  float* running_var = norm.running_var.data_ptr<float>();
  const double momentum = config.momentum;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const auto c = i % static_cast<std::size_t>(tail.channels);
    double mean = moments[i].mean;
    double variance = moments[i].squares / count;
    if (config.training) {
      const double unbiased = moments[i].squares / (count - 1.0);
      running_mean[c] =
          static_cast<float>((1 - momentum) * double(running_mean[c]) + momentum * mean);
      running_var[c] =
          static_cast<float>((1 - momentum) * double(running_var[c]) + momentum * unbiased);
    } else {
      mean = double(running_mean[c]);
      variance = double(running_var[c]);
    }
    const double deviation = 1.0 / std::sqrt(variance + config.eps);
    const double gamma = double(norm.weight.data_ptr<float>()[c]);
    const double beta = double(norm.bias.data_ptr<float>()[c]);
    state.deviation.push_back(deviation);
    tail.per_channel[i].scale = static_cast<float>(gamma * deviation);
    tail.per_channel[i].shift = static_cast<float>(beta - gamma * deviation * mean);
    tail.per_channel[i].mean = static_cast<float>(mean);
  }
}

// Writes the gradients of γ and β and the affine map of the backward pass.
void denormalise(State& state, const std::vector<kernel::PlaneSums>& sums, const at::Tensor& gamma,
                 at::Tensor& dgamma, at::Tensor& dbeta) {
  auto& tail = state.tail;
  const auto count = static_cast<double>(tail.stream * tail.in_size());
  std::vector<double> gamma_sums(tail.channels, 0.0);
  std::vector<double> beta_sums(tail.channels, 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto c = i % static_cast<std::size_t>(tail.channels);
    const double deviation = state.deviation[i];
    const double scale = double(gamma.data_ptr<float>()[c]) * deviation;
    gamma_sums[c] += sums[i].product * deviation;
    beta_sums[c] += sums[i].gradient;
    auto& channel = tail.per_channel[i];
    channel.a = static_cast<float>(scale);
    if (!state.config.training) continue;
    const double slope = scale * deviation * deviation * sums[i].product / count;
    channel.b = static_cast<float>(-slope);
    channel.c = static_cast<float>(slope * double(channel.mean) - scale * sums[i].gradient / count);
  }
  dgamma = at::empty({tail.channels}, gamma.options());
  dbeta = at::empty({tail.channels}, gamma.options());
  for (int c = 0; c < tail.channels; ++c) {
    dgamma.data_ptr<float>()[c] = static_cast<float>(gamma_sums[c]);
    dbeta.data_ptr<float>()[c] = static_cast<float>(beta_sums[c]);
  }
}

constexpr std::int64_t kLarge = std::int64_t{1} << 18;  // floats: a megabyte

// A tail whose output is computed again in no time.
bool is_cheap(const kernel::Tail& tail) {
  const bool cheap = tail.activation == Activation::relu || tail.activation == Activation::identity;
  return cheap && !tail.pool.any();
}

// Where y is large and made of few channels, x is kept and y is not: convolving again costs less
// than a quarter of what the next layer costs anyway.
bool should_forget(const State& state, const at::Tensor& x, const at::Tensor& y) {
  return state.normalised && is_cheap(state.tail) && y.numel() >= kLarge &&
         4 * x.numel() <= y.numel() && 4 * state.shape.in_channels <= state.shape.out_channels;
}

at::Tensor convolve(const State& state, const at::Tensor& x, const at::Tensor& weight,
                    const at::Tensor& bias, Moments* moments) {
  const auto& tail = state.tail;
  auto y =
      kernel::make_empty(sizes(tail.batch, tail.channels, tail.in, state.config.axes), x.options());
  conv_forward(state.shape, data(x), data(weight), data(bias), y.data_ptr<float>(), moments);
  return y;
}

/// Where x comes from a block whose output costs little to compute again, that block and what it
/// is computed from: its y, or its x, weight and bias.
struct Origin {
  c10::intrusive_ptr<State> producer;
  variable_list made_of;
};
Origin origin_of(const Variable& x);

at::Tensor restore(const Origin& origin) {
  State& producer = *origin.producer;
  const auto& made_of = origin.made_of;
  auto y = made_of[0];
  if (producer.forgets) {
    y = convolve(producer, made_of[0], made_of[1], made_of[2], nullptr);
    producer.again = y;
  }
  auto x = kernel::make_empty(y.sizes(), y.options());
  kernel::tail_forward(producer.tail, data(y), x.data_ptr<float>());
  return x;
}

// Places among the saved tensors; from kSource on stands x, or what it is made of, then y.
enum Saved : std::ptrdiff_t { kWeight, kGamma, kBias, kSource };

struct ConvBlockFunction : torch::autograd::Function<ConvBlockFunction> {
  static Variable forward(AutogradContext* context, const Variable& x_, const Variable& weight_,
                          const Variable& bias, const Variable& gamma, const Variable& beta,
                          const at::Tensor& running_mean, const at::Tensor& running_var,
                          const ConvBlockConfig& config) {
    const auto x = x_.contiguous();
    const auto weight = weight_.contiguous();
    auto state = c10::make_intrusive<State>();
    state->config = config;
    state->shape = kernel::conv_shape(x, weight, config);
    state->wants_dx = x_.requires_grad();
    state->wants_dweight = weight_.requires_grad();
    state->normalised = gamma.numel() > 0;
    state->biased = bias.numel() > 0;
    const auto& shape = state->shape;
    auto& tail = state->tail;
    tail.activation = config.activation;
    tail.pool = config.pool;
    tail.channels = shape.out_channels;
    tail.in = {shape.out(0), shape.out(1), shape.out(2)};
    tail.batch = shape.batch;
    tail.stream = std::max<std::int64_t>(1, shape.batch / config.streams);
    tail.per_channel.resize(static_cast<std::size_t>(config.streams * tail.channels));

    const bool measured = state->normalised && config.training;
    std::vector<Moments> moments(measured ? static_cast<std::size_t>(shape.batch * tail.channels)
                                          : 0);
    const auto y = convolve(*state, x, weight, bias, measured ? moments.data() : nullptr);
    if (state->normalised)
      normalise(*state, moments.data(), {gamma, beta, running_mean, running_var});

    // Either x is kept, or what it was made of, which its producer keeps anyway: half the memory of
    // a chain of blocks.
    state->forgets = should_forget(*state, x, y);
    const Origin origin = state->wants_dweight && !state->forgets ? origin_of(x_) : Origin{};
    state->producer = origin.producer;
    variable_list kept = {weight, gamma, bias};
    if (origin.producer)
      kept.insert(kept.end(), origin.made_of.begin(), origin.made_of.end());
    else
      kept.push_back(x);
    auto out = y;
    if (state->normalised || tail.pool.any() || tail.activation != Activation::identity) {
      auto size = tail.in;
      for (int axis = 0; axis < 3 && tail.pool.any(); ++axis)
        size[axis] = tail.pool.out(axis, tail.in[axis]);
      out = kernel::make_empty(sizes(shape.batch, tail.channels, size, config.axes), x.options());
      kernel::tail_forward(tail, y.data_ptr<float>(), out.data_ptr<float>());
      state->y.emplace(y.getIntrusivePtr());
      // Without a tail dy is the incoming gradient: y itself is never read.
      if (!state->forgets) kept.push_back(y);
      state->tailed = true;
    }
    context->save_for_backward(kept);
    context->saved_data["state"] = c10::IValue::make_capsule(state);
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    kernel::refuse_second_derivative();
    auto saved = context->get_saved_variables();
    const auto weight = saved[kWeight], gamma = saved[kGamma];
    auto state =
        c10::static_intrusive_pointer_cast<State>(context->saved_data["state"].toCapsule());
    const auto& shape = state->shape;
    at::Tensor y;
    if (state->forgets) {
      y = std::exchange(state->again, {});
      if (!y.defined()) y = convolve(*state, saved[kSource], weight, saved[kBias], nullptr);
    } else if (state->tailed) {
      y = saved.back();
      saved.pop_back();
    }
    const auto x = state->producer
                       ? restore({state->producer, {saved.begin() + kSource, saved.end()}})
                       : saved[kSource];
    const auto dout = gradients[0].contiguous();

    at::Tensor dgamma, dbeta;
    if (state->normalised)
      denormalise(*state, kernel::tail_sums(state->tail, data(y), data(dout)), gamma, dgamma,
                  dbeta);

    at::Tensor dx = state->wants_dx ? kernel::make_empty(x.sizes(), x.options()) : at::Tensor();
    auto dweight = state->wants_dweight ? at::empty_like(weight) : at::Tensor();
    auto dbias = state->biased ? at::empty({shape.out_channels}, weight.options()) : at::Tensor();
    const std::int64_t sample_size = shape.out_channels * shape.out_size();
    const GradientSource gradient = [&](std::int64_t n, float* dy) {
      if (y.defined())
        kernel::tail_gradient(state->tail, data(y), data(dout), n, dy);
      else
        std::copy_n(data(dout) + n * sample_size, sample_size, dy);
    };
    conv_backward(shape, data(x), data(weight), gradient,
                  dx.defined() ? dx.data_ptr<float>() : nullptr,
                  dweight.defined() ? dweight.data_ptr<float>() : nullptr,
                  state->biased ? dbias.data_ptr<float>() : nullptr);
    const auto none = at::Tensor();
    return {dx, dweight, dbias, dgamma, dbeta, none, none, none};
  }
};

Origin origin_of(const Variable& x) {
  if (x.numel() < kLarge || !x.is_contiguous()) return {};
  auto* node = dynamic_cast<torch::autograd::CppNode<ConvBlockFunction>*>(x.grad_fn().get());
  // A tensor that somebody changed in place is not what its producer made.
  if (node == nullptr || x._version() != 0) return {};
  const auto entry = node->ctx_.saved_data.find("state");
  if (entry == node->ctx_.saved_data.end()) return {};
  auto state = c10::static_intrusive_pointer_cast<State>(entry->second.toCapsule());
  if (state->forgets) {
    const auto saved = node->ctx_.get_saved_variables();
    return {std::move(state), {saved[kSource], saved[kWeight], saved[kBias]}};
  }
  if (!is_cheap(state->tail) || !state->y) return {};
  auto y = state->y->lock();
  if (!y) return {};
  return {std::move(state), {at::Tensor(std::move(y))}};
}

}  // namespace

at::Tensor conv_block_native(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                             const BatchNormTensors& norm, const ConvBlockConfig& config) {
  kernel::check_block(x, weight, bias, norm, config);
  if (!kernel::block_served(x, weight, bias, norm)) {
    throw InputError({"the kernels do not take these tensors", at::toString(x.scalar_type()),
                      "float32 on the CPU, contiguous where there is a number a channel",
                      "use conv_block, which asks LibTorch"});
  }
  if (kernel::is_product(x, weight, norm, config)) {
    const auto y = at::linear(x.flatten(1), weight.flatten(1),
                              bias.defined() ? c10::optional<at::Tensor>(bias) : c10::nullopt);
    return y.view(sizes(x.size(0), static_cast<int>(weight.size(0)), {1, 1, 1}, config.axes));
  }
  return ConvBlockFunction::apply(x, weight, or_empty(bias, x), or_empty(norm.weight, x),
                                  or_empty(norm.bias, x), or_empty(norm.running_mean, x),
                                  or_empty(norm.running_var, x), config);
}

}  // namespace algprior
