#include "algprior/ranks/batch_norm.hpp"

#include "algprior/base/error.hpp"
#include "algprior/ranks/world.hpp"

#include <atomic>
#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>

namespace algprior {
namespace {

std::atomic<bool> synchronised{false};

std::vector<std::int64_t> all_but_channels(const at::Tensor& x) {
  std::vector<std::int64_t> axes{0};
  for (std::int64_t axis = 2; axis < x.dim(); ++axis) axes.push_back(axis);
  return axes;
}

// A number a channel, to be multiplied with x.
at::Tensor along_channels(const at::Tensor& values, const at::Tensor& x) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
  shape[1] = -1;
  return values.to(x.device(), x.scalar_type()).view(shape);
}

// The sums of two tensors over all samples of all ranks, and the number of values a channel; in
// double, so that squares may be subtracted.
at::Tensor sums_over_ranks(const at::Tensor& first, const at::Tensor& second, double count) {
  const auto axes = all_but_channels(first);
  const auto of_first = first.sum(axes, false, at::kDouble);
  const auto sums = at::cat(
      {of_first, second.sum(axes, false, at::kDouble), at::full({1}, count, of_first.options())});
  world().sum(sums);
  return sums;
}

struct SynchronisedNorm : torch::autograd::Function<SynchronisedNorm> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& weight, const at::Tensor& bias,
                            at::Tensor running_mean, at::Tensor running_var, double momentum,
                            double eps) {
    const auto [mean, variance, count] = moments_over_ranks(x);
    const auto scale = (variance + eps).rsqrt();
    const auto blend = [momentum](at::Tensor& average, const at::Tensor& now) {
      average.mul_(1.0 - momentum).add_(now.to(average.device(), average.scalar_type()), momentum);
    };
    blend(running_mean, mean);
    blend(running_var, variance * (count / (count - 1.0)));
    const auto normal = (x - along_channels(mean, x)) * along_channels(scale, x);
    context->save_for_backward({normal, weight, scale});
    context->saved_data["count"] = count;
    return normal * along_channels(weight, x) + along_channels(bias, x);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &normal = saved[0], &weight = saved[1], &scale = saved[2];
    const auto& gradient = gradients[0];
    const auto channels = normal.size(1);
    const double count = context->saved_data["count"].toDouble();
    const auto axes = all_but_channels(normal);
    const auto product = gradient * normal;
    // Of this rank: whoever sums gradients over the ranks sums these too.
    const auto of_weight = product.sum(axes), of_bias = gradient.sum(axes);
    const auto sums = sums_over_ranks(gradient, product, 0.0) / count;
    const auto centred = gradient - along_channels(sums.narrow(0, 0, channels), normal) -
                         normal * along_channels(sums.narrow(0, channels, channels), normal);
    const auto of_x = centred * along_channels(weight.to(at::kDouble) * scale, normal);
    return {of_x, of_weight, of_bias, {}, {}, {}, {}};
  }
};

void check_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                const at::Tensor& running_mean, const at::Tensor& running_var, double momentum,
                double eps) {
  const auto refuse = [](const std::string& where, const std::string& expected) {
    throw InputError({"a batch norm over ranks cannot be taken", where, expected, ""});
  };
  if (!x.defined() || x.dim() < 2 || x.size(1) < 1 || !x.is_floating_point()) {
    refuse("x", "N x C x ..., of real numbers");
  }
  const auto per_channel = [&](const at::Tensor& values) {
    return values.defined() && values.dim() == 1 && values.size(0) == x.size(1) &&
           values.is_floating_point();
  };
  if (!per_channel(weight) || !per_channel(bias) || !per_channel(running_mean) ||
      !per_channel(running_var)) {
    refuse("scale, shift or running averages", fmt::format("{} real numbers each", x.size(1)));
  }
  if (!(momentum >= 0 && momentum <= 1) || !(eps >= 0) || !std::isfinite(eps)) {
    refuse(fmt::format("momentum {}, eps {}", momentum, eps),
           "a momentum from 0 to 1, an eps of at least 0");
  }
}

}  // namespace

BatchMoments moments_over_ranks(const at::Tensor& x) {
  const at::NoGradGuard no_gradient;
  const auto channels = x.size(1);
  const auto wide = x.to(at::kDouble);
  const auto sums = sums_over_ranks(wide, wide.square(),
                                    static_cast<double>(x.numel()) / static_cast<double>(channels));
  const double count = sums[2 * channels].item<double>();
  if (count < 2) {
    throw InputError({"a batch norm has too few values", fmt::format("{} a channel", count),
                      "at least 2 over all ranks", "take larger batches"});
  }
  const auto mean = sums.narrow(0, 0, channels) / count;
  return {mean, (sums.narrow(0, channels, channels) / count - mean.square()).clamp_min(0.0), count};
}

bool synchronises_batch_norms() noexcept {
  return synchronised.load(std::memory_order_relaxed) && !world().alone();
}

BatchNormScope::BatchNormScope(bool wanted) noexcept : before_(synchronised.exchange(wanted)) {}

BatchNormScope::~BatchNormScope() {
  synchronised.store(before_);
}

at::Tensor synchronised_batch_norm(const at::Tensor& x, const at::Tensor& weight,
                                   const at::Tensor& bias, const at::Tensor& running_mean,
                                   const at::Tensor& running_var, double momentum, double eps) {
  check_norm(x, weight, bias, running_mean, running_var, momentum, eps);
  return SynchronisedNorm::apply(x, weight, bias, running_mean, running_var, momentum, eps);
}

}  // namespace algprior
