#pragma once

#include "algprior/data/dataset.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace algprior {

/// The ten digits of two typefaces, float32 2×10×28×28 in [0, 1]: the 20 images of TMNIST that the
/// group C2 of the font swap acts on.
struct TypefaceDigits {
  at::Tensor images;
  std::vector<std::string> names;  ///< of the two typefaces
};

/// Rendered from font files. Throws FileError for a damaged font, InputError naming font and
/// character when one lacks a digit.
TypefaceDigits render_typeface_digits(const std::filesystem::path& first,
                                      const std::filesystem::path& second);

/// From TMNIST_Data.csv: columns `names`, `labels` and 784 pixels 0 … 255. Throws FileError naming
/// the file when columns, a typeface, a digit or a pixel value are not what they must be.
TypefaceDigits read_typeface_digits(const std::filesystem::path& csv, const std::string& first,
                                    const std::string& second);

/// Pairs of one digit in two typefaces: x in one, g·x in the other, g always the swap (element 1 of
/// C2), which typeface comes first by chance. Both are turned by the same angle, uniform on ±90°,
/// and scaled by the same factor, uniform on [0.8, 1.2]; nearest neighbour, 0 outside. The label is
/// the digit. `size` is the number of samples in a virtual epoch; each is drawn anew from its key.
Dataset make_typeface_pairs(std::string name, const TypefaceDigits& digits, std::int64_t size);

}  // namespace algprior
