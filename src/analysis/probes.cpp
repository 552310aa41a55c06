#include "algprior/analysis/probes.hpp"

#include "algprior/audit/orbit_theorem.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <torch/optim/lbfgs.h>
#include <torch/types.h>

namespace algprior {
namespace {

at::Tensor checked_orbits(const at::Tensor& orbits) {
  if (!orbits.defined() || orbits.dim() != 3 || orbits.numel() == 0 || orbits.is_complex() ||
      !at::isfinite(orbits).all().item<bool>()) {
    throw InputError({"these are no orbit features", shape_text(orbits),
                      "samples x group elements x features, of finite real numbers",
                      "make them with encode_orbits"});
  }
  return orbits.detach().to(at::kCPU, at::kDouble);
}

void check_labels(const at::Tensor& features, const at::Tensor& labels, std::int64_t classes) {
  const bool shapes = features.defined() && labels.defined() && features.dim() == 2 &&
                      labels.dim() == 1 && features.numel() > 0 && !features.is_complex() &&
                      labels.size(0) == features.size(0) && labels.scalar_type() == at::kLong &&
                      at::isfinite(features).all().item<bool>();
  if (shapes && labels.min().item<std::int64_t>() >= 0 &&
      labels.max().item<std::int64_t>() < classes) {
    return;
  }
  throw InputError({"labels do not fit the features of a probe",
                    fmt::format("features {}, labels {}", shape_text(features), shape_text(labels)),
                    fmt::format("N x d finite features and N int64 labels below {}", classes), ""});
}

void check_probe(const at::Tensor& features, std::int64_t classes,
                 const GlobalProbeOptions& options) {
  if (!(options.penalty >= 0) || !std::isfinite(options.penalty) || options.iterations < 1 ||
      options.iterations > std::numeric_limits<int>::max() / 4 || !(options.tolerance >= 0) ||
      !std::isfinite(options.tolerance)) {
    throw InputError({"a probe cannot be fitted so",
                      fmt::format("penalty {}, {} iterations, tolerance {}", options.penalty,
                                  options.iterations, options.tolerance),
                      "a penalty and a tolerance of at least 0, 1 iteration or more", ""});
  }
  constexpr double kCopies = 4 * sizeof(double);
  const double width = static_cast<double>(features.size(0) + 100 * features.size(1));
  check_memory(kCopies * width * static_cast<double>(classes), "a probe",
               fmt::format("{} classes", classes));
}

at::Tensor element_labels(const at::Tensor& orbits) {
  return at::arange(orbits.size(1), at::kLong).repeat({orbits.size(0)});
}

at::Tensor standardised(const GlobalProbe& probe, const at::Tensor& features) {
  return (features.detach().to(probe.mean.options()) - probe.mean) / probe.deviation;
}

}  // namespace

at::Tensor orbit_residuals(const at::Tensor& orbits) {
  const auto features = checked_orbits(orbits);
  return features - features.mean(1, true);
}

LocalProbes local_probes(const at::Tensor& orbits, double ridge) {
  const auto features = checked_orbits(orbits);
  if (!(ridge > 0) || !std::isfinite(ridge)) {
    throw InputError(
        {"a local probe has no usable ridge", fmt::format("{}", ridge), "a positive number", ""});
  }
  const auto order = features.size(1);
  const auto d = features.size(2);
  const auto numbers = features.contiguous();
  std::size_t right = 0, perfect = 0;
  for (std::int64_t i = 0; i < numbers.size(0); ++i) {
    const OrbitMatrix orbit =
        Eigen::Map<const OrbitMatrix>(numbers.data_ptr<double>() + i * order * d, order, d);
    const std::vector<bool> hits = probe_orbit(orbit, ridge);
    const auto count = static_cast<std::size_t>(std::count(hits.begin(), hits.end(), true));
    right += count;
    if (count == hits.size()) ++perfect;
  }
  const auto sigma = at::linalg_svdvals(features);
  const auto smallest = sigma.size(1) < order ? at::zeros({features.size(0)}, at::kDouble)
                                              : sigma.select(1, order - 1);
  LocalProbes probes;
  const auto samples = static_cast<double>(features.size(0));
  probes.accuracy = static_cast<double>(right) / (samples * static_cast<double>(order));
  probes.perfect_orbits = static_cast<double>(perfect) / samples;
  probes.median_condition = (sigma.select(1, 0) / smallest).median().item<double>();
  return probes;
}

GlobalProbe fit_global_probe(const at::Tensor& features, const at::Tensor& labels,
                             std::int64_t classes, const GlobalProbeOptions& options) {
  check_labels(features, labels, classes);
  check_probe(features, classes, options);
  const auto raw = features.detach().to(at::kCPU, at::kDouble);
  GlobalProbe probe;
  probe.mean = raw.mean(0);
  probe.deviation = raw.std(0, false);
  probe.deviation = at::where(probe.deviation > 0, probe.deviation, at::ones_like(probe.deviation));
  const auto inputs = standardised(probe, raw);
  const auto targets = at::one_hot(labels.to(at::kCPU), classes).to(at::kDouble);
  const auto samples = static_cast<double>(raw.size(0));

  auto weight = torch::zeros({classes, raw.size(1)}, at::kDouble).requires_grad_();
  auto bias = torch::zeros({classes}, at::kDouble).requires_grad_();
  torch::optim::LBFGS optimizer({weight, bias}, torch::optim::LBFGSOptions(1.0)
                                                    .max_iter(options.iterations)
                                                    .max_eval(4 * options.iterations)
                                                    .tolerance_grad(options.tolerance)
                                                    .tolerance_change(1e-12)
                                                    .line_search_fn("strong_wolfe"));
  // The gradient in closed form: P − Y against the inputs.
  const auto evaluate_loss = [&] {
    const torch::NoGradGuard no_gradient;
    const auto logits = at::addmm(bias, inputs, weight.t());
    const auto logs = logits.log_softmax(1);
    const auto off = (logs.exp() - targets) / samples;
    weight.mutable_grad() = at::matmul(off.t(), inputs) + options.penalty * weight;
    bias.mutable_grad() = off.sum(0);
    const auto loss =
        -(targets * logs).sum() / samples + 0.5 * options.penalty * weight.square().sum();
    // L-BFGS would go on to the last of its iterations.
    if (!std::isfinite(loss.item<double>())) {
      throw InputError(
          {"a probe cannot be fitted",
           fmt::format("its loss is {} at a penalty of {}", loss.item<double>(), options.penalty),
           "finite features of moderate size", "take a smaller penalty"});
    }
    return loss;
  };
  translated("a probe cannot be fitted", "L-BFGS", [&] { return optimizer.step(evaluate_loss); });
  probe.loss = evaluate_loss().item<double>();
  probe.gradient =
      std::max(weight.grad().abs().max().item<double>(), bias.grad().abs().max().item<double>());
  probe.converged = probe.gradient <= options.tolerance;
  probe.weight = weight.detach();
  probe.bias = bias.detach();
  return probe;
}

double probe_accuracy(const GlobalProbe& probe, const at::Tensor& features,
                      const at::Tensor& labels) {
  const auto& weight = probe.weight;
  const bool whole = weight.defined() && probe.bias.defined() && probe.mean.defined() &&
                     probe.deviation.defined() && weight.dim() == 2 && features.defined() &&
                     features.dim() == 2 && weight.size(1) == features.size(1) &&
                     probe.bias.dim() == 1 && probe.bias.size(0) == weight.size(0);
  if (!whole) {
    throw InputError(
        {"features do not fit a probe",
         fmt::format("weights {}, features {}", shape_text(weight), shape_text(features)),
         "a fitted probe and as many features as it was fitted to", ""});
  }
  check_labels(features, labels, probe.bias.size(0));
  const auto logits = at::addmm(probe.bias, standardised(probe, features), probe.weight.t());
  return (logits.argmax(1) == labels.to(at::kCPU)).to(at::kDouble).mean().item<double>();
}

double global_probe_accuracy(const at::Tensor& train, const at::Tensor& test,
                             const GlobalProbeOptions& options) {
  const auto seen = orbit_residuals(train), held = orbit_residuals(test);
  const auto probe =
      fit_global_probe(seen.flatten(0, 1), element_labels(seen), seen.size(1), options);
  return probe_accuracy(probe, held.flatten(0, 1), element_labels(held));
}

}  // namespace algprior
