#include "algprior/kernel/shape_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace algprior {

std::string shape_text(const at::Tensor& tensor) {
  return tensor.defined() ? shape_text(tensor.sizes()) : "no tensor";
}

std::string shape_text(at::IntArrayRef sizes) {
  return sizes.empty() ? "a single number" : fmt::format("{}", fmt::join(sizes, " x "));
}

}  // namespace algprior
