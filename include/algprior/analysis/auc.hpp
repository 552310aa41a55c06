#pragma once

#include <ATen/core/Tensor.h>

namespace algprior {

/// The area under the ROC curve: the share of pairs (positive, negative) that the scores put in the
/// right order, ties counting half. `scores` (N) and `positive` (N, bool). NaN when one of the two
/// is absent, or a score is no number. O(N log N), float64. Throws InputError when the shapes do
/// not fit.
double area_under_curve(const at::Tensor& scores, const at::Tensor& positive);

/// As MedMNIST reports it, from logits N×classes and int64 labels: of class 1 for two classes, else
/// the mean over the classes of each against the rest, by their softmax. Throws InputError when the
/// shapes do not fit.
double classification_auc(const at::Tensor& logits, const at::Tensor& labels);

}  // namespace algprior
