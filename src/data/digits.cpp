#include "algprior/data/digits.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/idx.hpp"
#include "algprior/nn/arrays.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

io::Array read_part(const std::filesystem::path& path, std::size_t rank, const char* expected) {
  auto array = io::read_idx(path);
  if (array.dtype == io::Dtype::uint8 && array.shape.size() == rank) return array;
  throw FileError({"this IDX file holds something else", path.string() + ": " + io::to_text(array),
                   expected, "give the images file and the labels file in this order"});
}

}  // namespace

Digits make_digits(at::Tensor images, at::Tensor labels) {
  if (!images.defined() || !labels.defined() || images.dim() != 3 ||
      images.scalar_type() != at::kByte || images.size(1) != images.size(2) || labels.dim() != 1 ||
      labels.size(0) != images.size(0)) {
    throw InputError({"digit images and labels do not fit",
                      fmt::format("{} images, {} labels",
                                  images.defined() && images.dim() > 0 ? images.size(0) : 0,
                                  labels.defined() ? labels.numel() : 0),
                      "uint8 images of shape M x S x S and a label for each", ""});
  }
  Digits digits{images.contiguous(), labels.to(at::kLong).contiguous(), {}};
  const auto* label = digits.labels.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < digits.labels.numel(); ++i) {
    if (label[i] < 0 || label[i] > 9) {
      throw InputError(
          {"a label is no digit", fmt::format("{} at place {}", label[i], i), "0 to 9", ""});
    }
    digits.with[static_cast<std::size_t>(label[i])].push_back(i);
  }
  for (std::size_t digit = 0; digit < digits.with.size(); ++digit) {
    if (!digits.with[digit].empty()) continue;
    throw InputError({"a digit has no image", fmt::format("digit {}", digit),
                      "at least one image of each digit", ""});
  }
  return digits;
}

Digits read_digits(const std::filesystem::path& images, const std::filesystem::path& labels) {
  const auto pixels = read_part(images, 3, "uint8 images in three dimensions");
  const auto names = read_part(labels, 1, "uint8 labels in one dimension");
  try {
    return make_digits(to_tensor(pixels), to_tensor(names));
  } catch (const InputError& error) {
    auto failure = error.failure();
    failure.where = fmt::format("{} and {}: {}", images.string(), labels.string(), failure.where);
    throw FileError(failure);
  }
}

}  // namespace algprior
