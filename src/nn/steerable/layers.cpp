#include "algprior/nn/steerable/layers.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/rep/constructions.hpp"
#include "checks.hpp"
#include "tensors.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior::steerable {
namespace {

constexpr double kMomentum = 0.1;
constexpr double kEps = 1e-5;

const Fields& checked(const Fields& fields) {
  check_fields(fields);
  return fields;
}

// Of features N × channels × …; what a layer calls itself stands in the message.
void check_features(const char* layer, const at::Tensor& x, std::int64_t channels) {
  if (x.defined() && x.dim() >= 2 && x.size(1) == channels && x.is_floating_point()) return;
  throw InputError({fmt::format("features do not fit {}", layer), shape_text(x),
                    fmt::format("N x {} x ..., of real numbers", channels), ""});
}

}  // namespace

FieldNormImpl::FieldNormImpl(const Fields& fields)
    : copies_(checked(fields).copies), invariants_(to_float_tensor(fields.type.invariants())) {
  scale_ = register_parameter("scale", at::ones({copies_}));
  shift_ = register_parameter("shift", at::zeros({copies_, invariants_.size(1)}));
  mean_ = register_buffer("running_mean", at::zeros({copies_, invariants_.size(1)}));
  variance_ = register_buffer("running_var", at::ones({copies_}));
}

Affine FieldNormImpl::affine(const BatchMoments& batch) {
  const auto directions = invariants_.to(scale_.options());
  at::Tensor mean = mean_, variance = variance_;
  if (is_training()) {
    const at::NoGradGuard no_gradient;
    if (!(batch.count >= 2)) {
      throw InputError({"a batch norm needs more values in training",
                        fmt::format("{} values a channel", batch.count), "at least 2", ""});
    }
    mean = batch.mean.view({copies_, -1}).mm(directions);
    variance = batch.variance.view({copies_, -1}).mean(1) * (batch.count / (batch.count - 1));
    mean_.lerp_(mean, kMomentum);
    variance_.lerp_(variance, kMomentum);
  }
  const auto scale = scale_ * (variance + kEps).rsqrt();
  const auto shift = (shift_ - mean * scale.unsqueeze(1)).mm(directions.t());
  return {scale.unsqueeze(1).expand_as(shift).flatten(), shift.flatten()};
}

at::Tensor FieldNormImpl::forward(const at::Tensor& x) {
  check_features("a norm of fields", x, copies_ * invariants_.size(0));
  const Affine map = affine(is_training() ? channel_moments(x) : BatchMoments{});
  std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
  shape[1] = x.size(1);
  return x * map.scale.view(shape) + map.shift.view(shape);
}

InnerNormImpl::InnerNormImpl(const Fields& fields)
    : copies_(checked(fields).copies), channels_(fields.channels()) {
  check_pointwise(fields.type);
  norm_ = register_module("norm", torch::nn::BatchNorm2d(fields.copies));
}

at::Tensor InnerNormImpl::forward(const at::Tensor& x) {
  check_features("a norm of fields", x, channels_);
  return translated("a norm of fields cannot be taken", shape_text(x), [&] {
    const auto last = x.dim() > 2 ? x.size(-1) : 1;
    const auto fields =
        x.reshape({x.size(0), copies_, x.size(1) / copies_, -1, last}).flatten(2, 3);
    return nn::normalise(*norm_, fields).reshape(x.sizes());
  });
}

GateImpl::GateImpl(const Fields& features) : layout_{checked(features).copies, {}} {
  for (const std::size_t irrep : features.type.irreps) {
    layout_.parts.push_back(features.type.steering->irreps[irrep].dimension());
  }
  bias_ = register_parameter("bias", at::randn({layout_.fields, layout_.gates()}));
}

Affine GateImpl::with_biases(const Affine& affine) const {
  const auto minus = at::constant_pad_nd(-bias_, {0, layout_.features()}).flatten();
  return {affine.scale.defined() ? affine.scale : at::ones_like(minus),
          affine.shift.defined() ? affine.shift + minus : minus};
}

at::Tensor GateImpl::forward(const at::Tensor& x) {
  check_features("gates", x, layout_.fields * (layout_.gates() + layout_.features()));
  const Affine map = with_biases({});
  return translated("gates cannot be opened", shape_text(x),
                    [&] { return gate_fields(x, map.scale, map.shift, layout_); });
}

at::Tensor gated_conv(const at::Tensor& x, SteerableConv conv, FieldNorm norm, Gate gate,
                      const Pool& pool) {
  ConvGateConfig config;
  config.conv = conv->config_for(x);
  config.layout = gate->layout();
  config.pool = pool;
  config.measured = !norm.is_empty() && norm->is_training();
  return translated("a gated convolution cannot be taken", shape_text(x), [&] {
    return conv_gate(x, conv->kernel(), conv->whole_bias(), config, [&](const BatchMoments& batch) {
      return gate->with_biases(norm.is_empty() ? Affine{} : norm->affine(batch));
    });
  });
}

FourierElu make_fourier_elu(const Fields& fields) {
  check_fields(fields);
  const SteeringPtr& steering = fields.type.steering;
  const auto refuse = [&](const std::string& where) {
    throw InputError({"a field does not hold a function on the group", where,
                      "irreducible parts, each at most as often as in the regular representation",
                      "take gates, or fewer copies of it in a field"});
  };
  if (!steering->group || !fields.type.basis.isIdentity()) refuse("a field of " + steering->name);
  const FieldType regular = make_field(steering, regular_representation(*steering->group));
  std::vector<bool> used(regular.irreps.size(), false);
  Eigen::MatrixXd inverse(regular.dimension(), fields.type.dimension());
  Eigen::Index column = 0;
  for (const std::size_t irrep : fields.type.irreps) {
    std::size_t place = 0;
    while (place < used.size() && (used[place] || regular.irreps[place] != irrep)) ++place;
    if (place == used.size())
      refuse(fmt::format("number {} of {} once more", irrep, steering->name));
    used[place] = true;
    const auto size = steering->irreps[irrep].dimension();
    inverse.middleCols(column, size) = regular.basis.middleCols(regular.offset(place), size);
    column += size;
  }
  return {to_float_tensor(inverse), fields.copies};
}

at::Tensor FourierElu::operator()(const at::Tensor& x) const {
  if (!inverse.defined() || inverse.dim() != 2 || copies < 1) {
    throw InputError({"an activation lacks its transform", shape_text(inverse),
                      "elements x coefficients", "make it with make_fourier_elu"});
  }
  check_features("functions on a group", x, copies * inverse.size(1));
  const auto a = inverse.to(x.options());
  const auto fields = x.reshape({x.size(0), copies, a.size(1), -1});
  return at::matmul(a.t(), at::elu(at::matmul(a, fields))).reshape(x.sizes());
}

void check_pointwise(const FieldType& field) {
  check_field(field);
  if (field.permutation) return;
  throw InputError(
      {"a pointwise activation or norm breaks this field",
       fmt::format("fields of {} channels, group {}", field.dimension(), field.steering->name),
       "a permutation representation: the regular one", "take gates, or regular fields"});
}

Pool gaussian_window(int axes, int stride, int padding) {
  constexpr int kTaps = 5, kFarthest = 1 << 20;
  constexpr double kSigma = 0.66;
  if ((axes != 2 && axes != 3) || stride < 1 || stride > kFarthest || padding < 0 ||
      padding >= kTaps) {
    throw InputError(
        {"features cannot be pooled so",
         fmt::format("{} axes, stride {}, padding {}", axes, stride, padding),
         "2 or 3 axes, stride 1 or more, padding 0 to 4: no window beyond the features", ""});
  }
  Pool pool;
  pool.kernel = {axes == 3 ? kTaps : 1, kTaps, kTaps};
  pool.stride = {axes == 3 ? stride : 1, stride, stride};
  pool.padding = {axes == 3 ? padding : 0, padding, padding};
  pool.sigma = kSigma;
  return pool;
}

at::Tensor gaussian_pool(const at::Tensor& x, int stride, int padding) {
  if (!x.defined() || !x.is_floating_point()) {
    throw InputError({"features cannot be pooled so", shape_text(x), "real numbers", ""});
  }
  const Pool pool = gaussian_window(static_cast<int>(x.dim()) - 2, stride, padding);
  return translated("features cannot be pooled", shape_text(x),
                    [&] { return average_pool(x, pool); });
}

at::Tensor disc_mask(std::int64_t side) {
  constexpr std::int64_t kLargest = 1 << 14;
  if (side < 1 || side > kLargest) {
    throw InputError({"a disc has no such side", fmt::format("{}", side),
                      fmt::format("1 to {} pixels", kLargest), ""});
  }
  constexpr double kShare = 0.99, kSoftness = 4;
  const double centre = static_cast<double>(side - 1) / 2, limit = std::pow(kShare * centre, 2);
  const auto place = at::arange(side, at::kDouble) - centre;
  const auto square = place.square().unsqueeze(0) + place.square().unsqueeze(1);
  return at::exp(((limit - square) / kSoftness).clamp_max(0)).to(at::kFloat);
}

}  // namespace algprior::steerable
