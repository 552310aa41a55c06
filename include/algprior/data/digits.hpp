#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Images of the ten digits as one tensor in memory.
struct Digits {
  at::Tensor images;                               ///< uint8, M×S×S
  at::Tensor labels;                               ///< int64, M, 0 … 9
  std::array<std::vector<std::int64_t>, 10> with;  ///< image numbers by digit
};

/// Throws InputError when the forms do not fit, a label is above 9 or a digit has no image.
Digits make_digits(at::Tensor images, at::Tensor labels);

/// MNIST's pair of IDX files, gzipped or not. Throws FileError naming the file for damage or for
/// another kind of file.
Digits read_digits(const std::filesystem::path& images, const std::filesystem::path& labels);

}  // namespace algprior
