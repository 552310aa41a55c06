#include "algprior/analysis/auc.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {

double area_under_curve(const at::Tensor& scores, const at::Tensor& positive) {
  if (!scores.defined() || !positive.defined() || scores.dim() != 1 ||
      scores.sizes() != positive.sizes() || scores.is_complex()) {
    throw InputError({"scores and their marks do not fit", "", "N real scores and N marks", ""});
  }
  const auto values = scores.to(at::kCPU, at::kDouble).contiguous();
  const auto marks = positive.to(at::kCPU, at::kBool).contiguous();
  const auto n = static_cast<std::size_t>(values.numel());
  const double* score = values.data_ptr<double>();
  const bool* mark = marks.data_ptr<bool>();
  // What is no number has no place in an order.
  if (std::any_of(score, score + n, [](double value) { return std::isnan(value); })) {
    return std::nan("");
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return score[a] < score[b]; });
  // The sum of the positives' ranks; those of equal scores share the mean rank.
  double ranks = 0.0, positives = 0.0;
  for (std::size_t first = 0; first < n;) {
    std::size_t last = first;
    double among = 0.0;
    for (; last < n && score[order[last]] == score[order[first]]; ++last) {
      among += mark[order[last]] ? 1.0 : 0.0;
    }
    ranks += among * (static_cast<double>(first + last + 1) / 2.0);
    positives += among;
    first = last;
  }
  const double negatives = static_cast<double>(n) - positives;
  if (positives == 0.0 || negatives == 0.0) return std::nan("");
  return (ranks - positives * (positives + 1.0) / 2.0) / (positives * negatives);
}

double classification_auc(const at::Tensor& logits, const at::Tensor& labels) {
  if (!logits.defined() || !labels.defined() || logits.dim() != 2 || logits.size(1) < 2 ||
      labels.dim() != 1 || labels.size(0) != logits.size(0) || logits.is_complex()) {
    throw InputError({"outputs and labels do not fit",
                      fmt::format("outputs {}, labels {}", shape_text(logits), shape_text(labels)),
                      "N x classes of real numbers and N labels", ""});
  }
  const auto shares = logits.to(at::kDouble).softmax(1);
  const auto classes = shares.size(1);
  if (classes == 2) return area_under_curve(shares.select(1, 1), labels.eq(1));
  double sum = 0.0;
  for (std::int64_t c = 0; c < classes; ++c) {
    sum += area_under_curve(shares.select(1, c), labels.eq(c));
  }
  return sum / static_cast<double>(classes);
}

}  // namespace algprior
