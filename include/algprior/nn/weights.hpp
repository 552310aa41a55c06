#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <ATen/core/Tensor.h>

namespace torch::nn {
class Module;
}

namespace algprior {

/// Parameters and buffers by their LibTorch names ("blocks.0.conv.weight", …).
using NamedTensors = std::map<std::string, at::Tensor>;

/// Copies of all parameters and buffers, on the CPU.
NamedTensors weights_of(const torch::nn::Module& module);

/// Copies values into the module, whatever its device. Names and shapes must match one to one;
/// throws InputError listing what is missing, left over or of another shape, and then changes
/// nothing.
void set_weights(torch::nn::Module& module, const NamedTensors& weights);

/// As a safetensors file, readable from Python; written aside and renamed. Throws FileError.
void save_weights(const torch::nn::Module& module, const std::filesystem::path& path);
void load_weights(torch::nn::Module& module, const std::filesystem::path& path);

}  // namespace algprior
