#include "algprior/kernel/conv_gate.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "gate_simd.hpp"
#include "recycled_tensor.hpp"
#include "tail.hpp"
#include "tensors.hpp"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace algprior {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// What follows the convolution, sample by sample.
struct GatedTail {
  GateLayout layout;
  Pool pool;
  std::array<int, 3> in = {1, 1, 1};  ///< of a plane

  std::int64_t size() const { return std::int64_t{in[0]} * in[1] * in[2]; }
  std::int64_t out_size() const {
    if (!pool.any()) return size();
    return std::int64_t{pool.out(0, in[0])} * pool.out(1, in[1]) * pool.out(2, in[2]);
  }
  std::int64_t channels() const { return layout.gates() + layout.features(); }
  kernel::GateField field() const { return {layout.gates(), layout.parts.data(), size()}; }

  /// Planes of an open field, and what pooling wants.
  struct Scratch {
    explicit Scratch(const GatedTail& tail)
        : planes(
              static_cast<std::size_t>(tail.pool.any() ? tail.layout.features() * tail.size() : 0)),
          pool(static_cast<std::size_t>(tail.pool.any() ? kernel::pool_scratch(tail.pool, tail.in)
                                                        : 0)) {}
    std::vector<float> planes, pool;
  };

  /// Field f of a sample: y and out point to it.
  void forward(std::int64_t f, const float* y, const Affine& map, float* out,
               Scratch& scratch) const {
    float* open = pool.any() ? scratch.planes.data() : out;
    kernel::gate_forward(field(), y, map.scale.data_ptr<float>() + f * channels(),
                         map.shift.data_ptr<float>() + f * channels(), open);
    if (!pool.any()) return;
    for (std::int64_t i = 0; i < layout.features(); ++i)
      kernel::pool_plane(pool, in, open + i * size(), scratch.pool.data(), out + i * out_size());
  }

  /// dy, and the sums for scale and shift, from the gradient of out.
  void backward(std::int64_t f, const float* y, const Affine& map, const float* dout, float* dy,
                double* dscale, double* dshift, Scratch& scratch) const {
    const float* dopen = dout;
    if (pool.any()) {
      dopen = scratch.planes.data();
      for (std::int64_t i = 0; i < layout.features(); ++i)
        kernel::unpool_plane(pool, in, dout + i * out_size(), scratch.pool.data(),
                             scratch.planes.data() + i * size());
    }
    kernel::gate_backward(field(), y, map.scale.data_ptr<float>() + f * channels(),
                          map.shift.data_ptr<float>() + f * channels(), dopen, dy, dscale, dshift);
  }
};

struct ConvGateState : torch::CustomClassHolder {
  ConvShape shape;
  GatedTail tail;
  bool biased = false, wants_dx = true, wants_dweight = true;
};

std::vector<std::int64_t> grid_sizes(std::int64_t batch, std::int64_t channels,
                                     const std::array<int, 3>& size, int axes) {
  std::vector<std::int64_t> result = {batch, channels};
  result.insert(result.end(), size.end() - axes, size.end());
  return result;
}

struct ConvGateFunction : torch::autograd::Function<ConvGateFunction> {
  static Variable forward(AutogradContext* context, const Variable& x, const Variable& weight,
                          const Variable& bias, const Variable& scale, const Variable& shift,
                          const at::Tensor& y, const c10::intrusive_ptr<ConvGateState>& state) {
    const GatedTail& tail = state->tail;
    state->biased = bias.numel() > 0;
    state->wants_dx = x.requires_grad();
    state->wants_dweight = weight.requires_grad();
    auto size = tail.in;
    for (int axis = 0; axis < 3 && tail.pool.any(); ++axis)
      size[axis] = tail.pool.out(axis, tail.in[axis]);
    const GateLayout& layout = tail.layout;
    const auto out = kernel::make_empty(grid_sizes(x.size(0), layout.fields * layout.features(),
                                                   size, static_cast<int>(x.dim()) - 2),
                                        x.options());
    const Affine map{scale, shift};
    parallel_for(x.size(0) * layout.fields, [&](std::int64_t begin, std::int64_t end) {
      GatedTail::Scratch scratch(tail);
      for (std::int64_t i = begin; i < end; ++i)
        tail.forward(i % layout.fields, y.data_ptr<float>() + i * tail.channels() * tail.size(),
                     map, out.data_ptr<float>() + i * layout.features() * tail.out_size(), scratch);
    });
    context->save_for_backward({x, weight, scale, shift, y});
    context->saved_data["state"] = c10::IValue::make_capsule(state);
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    kernel::refuse_second_derivative();
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1], &y = saved[4];
    const auto state =
        c10::static_intrusive_pointer_cast<ConvGateState>(context->saved_data["state"].toCapsule());
    const GatedTail& tail = state->tail;
    const Affine map{saved[2], saved[3]};
    const auto dout = gradients[0].contiguous();
    const auto fields = tail.layout.fields, channels = fields * tail.channels();
    const auto sums = at::empty({2, x.size(0), channels}, at::TensorOptions(at::kDouble));
    const GradientSource gradient = [&](std::int64_t n, float* dy) {
      GatedTail::Scratch scratch(tail);
      for (std::int64_t f = 0; f < fields; ++f) {
        const auto i = n * fields + f;
        double* dscale = sums.data_ptr<double>() + i * tail.channels();
        tail.backward(f, y.data_ptr<float>() + i * tail.channels() * tail.size(), map,
                      dout.data_ptr<float>() + i * tail.layout.features() * tail.out_size(),
                      dy + f * tail.channels() * tail.size(), dscale, dscale + x.size(0) * channels,
                      scratch);
      }
    };
    const auto dx = state->wants_dx ? kernel::make_empty(x.sizes(), x.options()) : at::Tensor();
    const auto dweight = state->wants_dweight ? at::empty_like(weight) : at::Tensor();
    const auto dbias = state->biased ? at::empty({channels}, weight.options()) : at::Tensor();
    const auto data = [](const at::Tensor& tensor) {
      return tensor.defined() ? tensor.data_ptr<float>() : nullptr;
    };
    conv_backward(state->shape, data(x), data(weight), gradient, data(dx), data(dweight),
                  data(dbias));
    const auto total = sums.sum(1).to(at::kFloat);
    const auto none = at::Tensor();
    return {dx, dweight, dbias, total[0], total[1], none, none};
  }
};

BatchMoments merged(const GatedTail& tail, int channels, const std::vector<Moments>& planes) {
  kernel::Tail whole;
  whole.channels = channels;
  whole.in = tail.in;
  whole.batch = whole.stream = static_cast<std::int64_t>(planes.size()) / channels;
  whole.per_channel.resize(static_cast<std::size_t>(channels));
  const auto moments = kernel::stream_moments(whole, planes.data());
  BatchMoments batch{at::empty({channels}), at::empty({channels}),
                     static_cast<double>(whole.batch * tail.size())};
  for (int c = 0; c < channels; ++c) {
    const Moments& channel = moments[static_cast<std::size_t>(c)];
    batch.mean.data_ptr<float>()[c] = static_cast<float>(channel.mean);
    batch.variance.data_ptr<float>()[c] = static_cast<float>(channel.squares / batch.count);
  }
  return batch;
}

}  // namespace

BatchMoments channel_moments(const at::Tensor& y) {
  const at::NoGradGuard no_gradient;
  if (synchronises_batch_norms()) {
    const auto [mean, variance, count] = moments_over_ranks(y);
    return {mean.to(y.options()), variance.to(y.options()), count};
  }
  if (!y.defined() || y.dim() < 2 || y.numel() == 0) {  // LibTorch would divide by 0
    throw InputError({"there is nothing to take moments of", shape_text(y),
                      "at least one value a channel", "leave out empty batches"});
  }
  const auto [mean, variance] = at::batch_norm_update_stats(y, {}, {}, 0.0);
  return {mean, variance, static_cast<double>(y.numel() / std::max<std::int64_t>(1, y.size(1)))};
}

at::Tensor conv_gate(const at::Tensor& x_, const at::Tensor& weight_, const at::Tensor& bias,
                     const ConvGateConfig& config,
                     const std::function<Affine(const BatchMoments&)>& affine) {
  auto whole = config.conv;
  whole.pool = config.pool;
  kernel::check_block(x_, weight_, bias, {}, whole);
  if (!affine) throw InputError({"gates need an affine map", "no function", "one of moments", ""});
  const bool together = config.measured && synchronises_batch_norms();
  const bool native = !together && x_.numel() > 0 &&
                      kernel::native_serves(x_, weight_, bias, {}, config.conv) &&
                      !kernel::is_product(x_, weight_, {}, config.conv);
  if (!native) {
    const auto y = conv_block(x_.contiguous(), weight_.contiguous(), bias, {}, config.conv);
    const Affine map = affine(config.measured ? channel_moments(y) : BatchMoments{});
    const auto open = gate_fields(y, map.scale, map.shift, config.layout);
    return config.pool.any() ? average_pool(open, config.pool) : open;
  }
  const auto x = x_.contiguous(), weight = weight_.contiguous();
  auto state = c10::make_intrusive<ConvGateState>();
  const ConvShape shape = kernel::conv_shape(x, weight, config.conv);
  state->shape = shape;
  state->tail = {config.layout, config.pool, {shape.out(0), shape.out(1), shape.out(2)}};
  const auto channels = static_cast<std::int64_t>(shape.out_channels);
  const auto y = kernel::make_empty(
      grid_sizes(shape.batch, channels, state->tail.in, config.conv.axes), x.options());
  std::vector<Moments> moments(config.measured ? static_cast<std::size_t>(shape.batch * channels)
                                               : 0);
  conv_forward(shape, x.data_ptr<float>(), weight.data_ptr<float>(),
               bias.defined() ? bias.contiguous().data_ptr<float>() : nullptr, y.data_ptr<float>(),
               config.measured ? moments.data() : nullptr);
  const Affine map =
      affine(config.measured ? merged(state->tail, shape.out_channels, moments) : BatchMoments{});
  kernel::check_gates(config.layout, channels, map.scale, map.shift);
  if (!kernel::served(map.scale) || !kernel::served(map.shift))
    throw InputError({"an affine map is not of the type of its features", "", "float32", ""});
  return ConvGateFunction::apply(x, weight, bias.defined() ? bias : at::empty({0}, x.options()),
                                 map.scale.contiguous(), map.shift.contiguous(), y, state);
}

}  // namespace algprior
