#include "algprior/kernel/adam.hpp"

#include "adam_simd.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/kernels.hpp"
#include "tensors.hpp"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

namespace algprior {
namespace {

struct Corrections {
  Corrections(const AdamOptions& options, std::int64_t count)
      : first(1.0 - std::pow(options.beta1, static_cast<double>(count))),
        second(1.0 - std::pow(options.beta2, static_cast<double>(count))) {}
  double first, second;
};

}  // namespace

void adam_step_torch(const AdamOptions& options, std::int64_t count, const at::Tensor& gradient,
                     const at::Tensor& first, const at::Tensor& second,
                     const at::Tensor& parameter) {
  const Corrections correction(options, count);
  auto g = gradient;
  if (options.weight_decay != 0.0) {
    if (options.decoupled) {
      parameter.mul_(1.0 - options.learning_rate * options.weight_decay);
    } else {
      g = gradient.add(parameter, options.weight_decay);
    }
  }
  first.mul_(options.beta1).add_(g, 1.0 - options.beta1);
  second.mul_(options.beta2).addcmul_(g, g, 1.0 - options.beta2);
  const auto root = (second.sqrt() / std::sqrt(correction.second)).add_(options.epsilon);
  parameter.addcdiv_(first, root, -options.learning_rate / correction.first);
}

void adam_step(const AdamOptions& options, std::int64_t count, const at::Tensor& gradient,
               const at::Tensor& first, const at::Tensor& second, const at::Tensor& parameter) {
  if (kernels() == Kernels::torch || !kernel::served(parameter))
    return adam_step_torch(options, count, gradient, first, second, parameter);
  const Corrections correction(options, count);
  kernel::AdamNumbers n{};
  n.beta1 = static_cast<float>(options.beta1);
  n.beta2 = static_cast<float>(options.beta2);
  n.rest1 = static_cast<float>(1.0 - options.beta1);
  n.rest2 = static_cast<float>(1.0 - options.beta2);
  n.epsilon = static_cast<float>(options.epsilon);
  n.step_size = static_cast<float>(options.learning_rate / correction.first);
  n.second_factor = static_cast<float>(1.0 / std::sqrt(correction.second));
  n.l2 = options.decoupled ? 0.0f : static_cast<float>(options.weight_decay);
  n.keep = options.decoupled
               ? static_cast<float>(1.0 - options.learning_rate * options.weight_decay)
               : 1.0f;
  const float* g = gradient.data_ptr<float>();
  float* m = first.data_ptr<float>();
  float* v = second.data_ptr<float>();
  float* p = parameter.data_ptr<float>();
  // Fewer floats than these are done before a second thread has woken up.
  constexpr std::int64_t kStretch = std::int64_t{1} << 16;
  const std::int64_t size = parameter.numel();
  parallel_for((size + kStretch - 1) / kStretch, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t at = begin * kStretch;
    kernel::adam_stretch(n, g + at, std::min(size, end * kStretch) - at, m + at, v + at, p + at);
  });
}

}  // namespace algprior
