#include "algprior/nn/steerable/layers.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/nn/batch_norm.hpp"
#include "algprior/rep/constructions.hpp"
#include "tensors.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior::steerable {
namespace {

constexpr double kMomentum = 0.1;
constexpr double kEps = 1e-5;

}  // namespace

FieldNormImpl::FieldNormImpl(const Fields& fields)
    : copies_(fields.copies), invariants_(to_float_tensor(fields.type.invariants())) {
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
    if (batch.count < 2) {
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
  const Affine map = affine(is_training() ? channel_moments(x) : BatchMoments{});
  std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
  shape[1] = x.size(1);
  return x * map.scale.view(shape) + map.shift.view(shape);
}

InnerNormImpl::InnerNormImpl(const Fields& fields) : copies_(fields.copies) {
  check_pointwise(fields.type);
  norm_ = register_module("norm", torch::nn::BatchNorm2d(fields.copies));
}

at::Tensor InnerNormImpl::forward(const at::Tensor& x) {
  const auto fields = x.view({x.size(0), copies_, -1, x.size(-1)});
  return nn::normalise(*norm_, fields).view(x.sizes());
}

GateImpl::GateImpl(const Fields& features) : layout_{features.copies, {}} {
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
  const Affine map = with_biases({});
  return gate_fields(x, map.scale, map.shift, layout_);
}

at::Tensor gated_conv(const at::Tensor& x, SteerableConv conv, FieldNorm norm, Gate gate,
                      const Pool& pool) {
  ConvGateConfig config;
  config.conv = conv->config_for(x);
  config.layout = gate->layout();
  config.pool = pool;
  config.measured = !norm.is_empty() && norm->is_training();
  return conv_gate(x, conv->kernel(), conv->whole_bias(), config, [&](const BatchMoments& batch) {
    return gate->with_biases(norm.is_empty() ? Affine{} : norm->affine(batch));
  });
}

FourierElu make_fourier_elu(const Fields& fields) {
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
  const auto a = inverse.to(x.options());
  const auto fields = x.reshape({x.size(0), copies, a.size(1), -1});
  return at::matmul(a.t(), at::elu(at::matmul(a, fields))).reshape(x.sizes());
}

void check_pointwise(const FieldType& field) {
  if (field.permutation) return;
  throw InputError(
      {"a pointwise activation or norm breaks this field",
       fmt::format("fields of {} channels, group {}", field.dimension(), field.steering->name),
       "a permutation representation: the regular one", "take gates, or regular fields"});
}

Pool gaussian_window(int axes, int stride, int padding) {
  constexpr int kTaps = 5;
  constexpr double kSigma = 0.66;
  Pool pool;
  pool.kernel = {axes == 3 ? kTaps : 1, kTaps, kTaps};
  pool.stride = {axes == 3 ? stride : 1, stride, stride};
  pool.padding = {axes == 3 ? padding : 0, padding, padding};
  pool.sigma = kSigma;
  return pool;
}

at::Tensor gaussian_pool(const at::Tensor& x, int stride, int padding) {
  return average_pool(x, gaussian_window(static_cast<int>(x.dim()) - 2, stride, padding));
}

at::Tensor disc_mask(std::int64_t side) {
  constexpr double kShare = 0.99, kSoftness = 4;
  const double centre = static_cast<double>(side - 1) / 2, limit = std::pow(kShare * centre, 2);
  const auto place = at::arange(side, at::kDouble) - centre;
  const auto square = place.square().unsqueeze(0) + place.square().unsqueeze(1);
  return at::exp(((limit - square) / kSoftness).clamp_max(0)).to(at::kFloat);
}

}  // namespace algprior::steerable
