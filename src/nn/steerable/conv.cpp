#include "algprior/nn/steerable/conv.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "checks.hpp"
#include "tensors.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior::steerable {
namespace {

// Beyond this nothing of an image would be left, or little but padding.
constexpr std::int64_t kFarthest = 1 << 20, kWidest = 1 << 10;

const Fields& checked_output(const KernelSpace& where, const KernelMap& map,
                             const ConvOptions& options) {
  if (checked_shape(where) != map.shape || !map.kernel) {
    throw InputError({"a kernel map does not fit a steerable convolution",
                      fmt::format("kernels of {}", fmt::join(map.shape, " x ")),
                      fmt::format("{}", fmt::join(where.shape(), " x ")),
                      "make the map for the same fields and points"});
  }
  if (options.stride < 1 || options.stride > kFarthest || options.padding < 0 ||
      options.padding > kWidest) {
    throw InputError({"a steerable convolution cannot step so",
                      fmt::format("stride {}, padding {}", options.stride, options.padding),
                      fmt::format("stride 1 to {}, padding 0 to {}", kFarthest, kWidest), ""});
  }
  return where.out;
}

}  // namespace

SteerableConvImpl::SteerableConvImpl(const KernelSpace& where, KernelMap map,
                                     const ConvOptions& options_)
    : options(options_),
      map_(std::move(map)),
      invariants_(to_float_tensor(checked_output(where, map_, options_).type.invariants())),
      copies_(where.out.copies),
      spent_(std::make_shared<bool>(false)) {
  for (const auto& [name, start] : map_.parameters) {
    values_.push_back(register_parameter(name, start));
  }
  map_.parameters.clear();
  if (options.bias && invariants_.size(1) > 0) {
    bias_ = register_parameter("bias", at::zeros({copies_, invariants_.size(1)}));
  }
  if (!options.free_bias) return;
  std::int64_t fan = 1;
  for (std::size_t i = 1; i < map_.shape.size(); ++i) fan *= map_.shape[i];
  const double bound = 1 / std::sqrt(static_cast<double>(fan));
  free_bias_ = register_parameter("free_bias", at::rand({map_.shape[0]}) * (2 * bound) - bound);
}

const at::Tensor& SteerableConvImpl::kernel() {
  std::vector<Version> versions;
  for (const auto* tensors : {&values_, &map_.shared}) {
    for (const auto& value : *tensors) versions.emplace_back(value._version(), value.data_ptr());
  }
  const bool enough =
      kernel_.defined() && (kernel_.requires_grad() || !at::GradMode::is_enabled()) && !*spent_;
  if (enough && versions == versions_) return kernel_;
  kernel_ = map_.kernel(values_);
  versions_ = std::move(versions);
  spent_ = std::make_shared<bool>(false);
  // The graph behind the kernel serves one backward pass; the next forward pass makes a new one.
  if (kernel_.requires_grad() && !kernel_.is_leaf()) {
    kernel_.register_hook([spent = spent_](const at::Tensor&) { *spent = true; });
  }
  return kernel_;
}

at::Tensor SteerableConvImpl::whole_bias() const {
  at::Tensor bias;
  if (bias_.defined()) bias = bias_.mm(invariants_.to(bias_.options()).t()).flatten();
  if (!free_bias_.defined()) return bias;
  return bias.defined() ? bias + free_bias_ : free_bias_;
}

ConvBlockConfig SteerableConvImpl::config_for(const at::Tensor& x) const {
  const auto axes = static_cast<std::int64_t>(map_.shape.size()) - 2;
  if (!x.defined() || x.dim() != axes + 2 || x.size(1) != map_.shape[1]) {
    throw InputError({"features do not fit a steerable convolution", shape_text(x),
                      fmt::format("N x {} on {} axes", map_.shape[1], axes), ""});
  }
  ConvBlockConfig config;
  config.axes = static_cast<int>(axes);
  for (int axis = 3 - config.axes; axis < 3; ++axis) {
    config.stride[axis] = static_cast<int>(options.stride);
    config.padding[axis] = static_cast<int>(options.padding);
  }
  config.activation = Activation::identity;
  config.training = is_training();
  return config;
}

at::Tensor SteerableConvImpl::forward(const at::Tensor& x) {
  const ConvBlockConfig config = config_for(x);
  return translated("a steerable convolution cannot be taken", shape_text(x), [&] {
    return conv_block(x.contiguous(), kernel().contiguous(), whole_bias(), {}, config);
  });
}

}  // namespace algprior::steerable
