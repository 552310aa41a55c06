#pragma once

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Throws InputError, naming `what` and the first place, when a number of a tensor with one row a
/// sample is NaN or infinite: "data.test = b.npz: x, sample 12 at 0 x 3 x 1 is nan".
void check_finite(const at::Tensor& samples, const std::string& what);

/// Throws InputError, naming `what`, the label and its sample, unless all labels (int64 of shape N)
/// lie in 0 … classes−1.
void check_labels(const at::Tensor& labels, std::int64_t classes, const std::string& what);

/// Throws InputError unless images are uint8 N×C×H×W, or volumes N×C×D×H×W, with a label for each.
void check_labelled_images(const at::Tensor& images, const at::Tensor& labels);

}  // namespace algprior
