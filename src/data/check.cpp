#include "algprior/data/check.hpp"

#include "algprior/base/error.hpp"
#include "algprior/kernel/shape_text.hpp"

#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {
namespace {

// Row and place within it of an entry, counted from 0.
std::string place_of(std::int64_t entry, at::IntArrayRef shape) {
  std::vector<std::int64_t> place(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    place[axis] = entry % shape[axis];
    entry /= shape[axis];
  }
  if (place.size() < 2) return fmt::format("sample {}", place.empty() ? 0 : place[0]);
  return fmt::format("sample {} at {}", place[0], fmt::join(place.begin() + 1, place.end(), " x "));
}

}  // namespace

void check_finite(const at::Tensor& samples, const std::string& what) {
  if (!samples.defined() || !samples.is_floating_point()) return;
  const at::Tensor good = at::isfinite(samples);
  if (good.all().item<bool>()) return;
  const at::Tensor bad = good.logical_not().flatten().to(at::kByte);
  const auto first = bad.argmax().item<std::int64_t>();
  throw InputError(
      {"the data holds numbers that are not finite",
       fmt::format("{}, {} is {}; {} of {} numbers", what, place_of(first, samples.sizes()),
                   samples.flatten()[first].item<double>(), bad.sum(at::kLong).item<std::int64_t>(),
                   samples.numel()),
       "finite numbers", "leave such samples out, or replace the numbers"});
}

void check_labels(const at::Tensor& labels, std::int64_t classes, const std::string& what) {
  if (labels.dim() != 1 || labels.scalar_type() != at::kLong) {
    throw InputError(
        {"the labels are no classes",
         fmt::format("{}: {} of {}", what, shape_text(labels), at::toString(labels.scalar_type())),
         "N integers, 0 for the first class", "number the classes from 0"});
  }
  const at::Tensor bad = labels.lt(0).logical_or_(labels.ge(classes));
  if (labels.numel() == 0 || !bad.any().item<bool>()) return;
  const auto first = bad.to(at::kByte).argmax().item<std::int64_t>();
  throw InputError({"a label is no class",
                    fmt::format("{}, sample {} has label {}; {} of {} labels", what, first,
                                labels[first].item<std::int64_t>(), bad.sum().item<std::int64_t>(),
                                labels.numel()),
                    fmt::format("0 to {}", classes - 1),
                    "number the classes from 0, or allow for more classes"});
}

void check_labelled_images(const at::Tensor& images, const at::Tensor& labels) {
  if (images.dim() < 4 || images.dim() > 5 || images.scalar_type() != at::kByte ||
      labels.dim() != 1 || labels.size(0) != images.size(0)) {
    throw InputError(
        {"images and labels do not fit",
         fmt::format("images {}, labels {}", shape_text(images), shape_text(labels)),
         "uint8 images N x C x H x W, or volumes N x C x D x H x W, and one label for each", ""});
  }
}

}  // namespace algprior
