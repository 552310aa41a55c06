#pragma once

#include "algprior/action/action.hpp"
#include "algprior/data/dataset.hpp"

#include <filesystem>
#include <string>

namespace algprior {

/// Inputs and labels (or targets) in memory, one row a sample.
struct TensorData {
  at::Tensor x;
  at::Tensor y;
};

/// Arrays `x_name` and `y_name` of an .npz or .safetensors file. Integer pixels (uint8) are divided
/// by 255; integer labels become int64, a column of labels (N×1) a vector. Throws FileError naming
/// the file and the arrays that it has, InputError for another ending or unequal counts.
TensorData read_tensor_data(const std::filesystem::path& path, const std::string& x_name = "x",
                            const std::string& y_name = "y");

/// Inputs alone, converted likewise: the array `x_name` of an .npz or .safetensors file, or an .npy
/// file.
at::Tensor read_tensor_inputs(const std::filesystem::path& path, const std::string& x_name = "x");

/// The same from two .npy files.
TensorData read_tensor_files(const std::filesystem::path& x, const std::filesystem::path& y);

/// The samples as they are, without pairs.
Dataset make_tensor_dataset(std::string name, TensorData data);

/// Samples with partners under a group: x and y are first moved by a random h when `augmented`,
/// then gx = T_g x and gy = T_g y for a random g; h and g are uniform over the group. Throws
/// InputError when the two actions belong to different groups.
Dataset make_tensor_dataset(std::string name, TensorData data, const Action& input,
                            const Action& output, bool augmented);

}  // namespace algprior
