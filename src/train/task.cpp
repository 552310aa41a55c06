#include "algprior/train/task.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "algprior/prior/equivariance.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

void check_logits(const at::Tensor& logits, const at::Tensor& labels) {
  if (!logits.defined() || !labels.defined()) {
    throw InputError({"there is no output or no label", "", "two tensors", ""});
  }
  if (logits.dim() == 2 && labels.dim() == 1 && labels.size(0) == logits.size(0) &&
      labels.scalar_type() == at::kLong) {
    return;
  }
  throw InputError({"the network's output does not fit the labels",
                    fmt::format("output {}, labels {}", shape_text(logits), shape_text(labels)),
                    "N x classes and int64 labels of shape N",
                    "use a network with as many outputs as there are classes"});
}

at::Tensor right(const at::Tensor& logits, const at::Tensor& labels) {
  check_logits(logits, labels);
  if (logits.size(1) == 0) {
    throw InputError({"the network has no output", "N x 0", "a number a class", ""});
  }
  return logits.argmax(1).eq(labels);
}

void check_shapes(const at::Tensor& output, const at::Tensor& target) {
  if (!output.defined() || !target.defined() || output.dim() < 1) {
    throw InputError(
        {"there is no output or no target", "", "two tensors with a row a sample", ""});
  }
  if (!output.sizes().equals(target.sizes())) {
    throw InputError({"the network's output does not fit the target",
                      fmt::format("output {}, target {}", shape_text(output), shape_text(target)),
                      "equal shapes", "use a network whose output has the target's shape"});
  }
}

at::Tensor squared_errors(const at::Tensor& output, const at::Tensor& target) {
  check_shapes(output, target);
  return translated("squared errors cannot be taken", "",
                    [&] { return (output - target).square().flatten(1).mean(1); });
}

at::Tensor mean_absolute_error(const at::Tensor& output, const at::Tensor& target) {
  check_shapes(output, target);
  return at::l1_loss(output, target);
}

}  // namespace

at::Tensor classification_loss(const at::Tensor& logits, const at::Tensor& labels) {
  check_logits(logits, labels);
  if (!logits.is_floating_point()) {
    throw InputError({"the network's output is no score", at::toString(logits.scalar_type()),
                      "floating-point numbers", ""});
  }
  if (labels.device().is_cpu() && labels.numel() > 0) {
    const auto low = labels.min().item<std::int64_t>();
    const auto high = labels.max().item<std::int64_t>();
    if (low < 0 || high >= logits.size(1)) {
      throw InputError({"a label is no class of the network",
                        fmt::format("label {}", low < 0 ? low : high),
                        fmt::format("0 to {}", logits.size(1) - 1),
                        fmt::format("give the network {} classes", high + 1)});
    }
  }
  return at::cross_entropy_loss(logits, labels);
}

Task classify() {
  return {"classify", classification_loss, {{metrics::kAccuracy, right}}};
}

Task classify_softmax_twice() {
  return {"classify",
          [](const at::Tensor& logits, const at::Tensor& labels) {
            return classification_loss(logits.softmax(-1).softmax(-1), labels);
          },
          {{metrics::kAccuracy, right}}};
}

Task reconstruct() {
  return {"reconstruct", mean_squared_error, {{metrics::kError, squared_errors}}, true};
}

Task reconstruct_absolute() {
  return {"reconstruct", mean_absolute_error, {{metrics::kError, squared_errors}}, true};
}

Task regress() {
  return {"regress", mean_squared_error, {{metrics::kError, squared_errors}}};
}

}  // namespace algprior
