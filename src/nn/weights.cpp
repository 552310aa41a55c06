#include "algprior/nn/weights.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/arrays.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

// The module's own tensors, not copies.
NamedTensors tensors_of(const torch::nn::Module& module) {
  NamedTensors tensors;
  for (const auto& item : module.named_parameters()) tensors.emplace(item.key(), item.value());
  for (const auto& item : module.named_buffers()) tensors.emplace(item.key(), item.value());
  return tensors;
}

std::string mismatch(const NamedTensors& own, const NamedTensors& given) {
  std::vector<std::string> faults;
  for (const auto& [name, tensor] : own) {
    const auto found = given.find(name);
    if (found == given.end()) {
      faults.push_back("missing " + name);
    } else if (!found->second.sizes().equals(tensor.sizes())) {
      faults.push_back(fmt::format("{} is {} instead of {}", name,
                                   fmt::join(found->second.sizes(), "x"),
                                   fmt::join(tensor.sizes(), "x")));
    }
  }
  for (const auto& [name, tensor] : given) {
    if (!own.contains(name)) faults.push_back("left over " + name);
  }
  return fmt::format("{}", fmt::join(faults, ", "));
}

}  // namespace

NamedTensors weights_of(const torch::nn::Module& module) {
  NamedTensors copies;
  for (const auto& [name, tensor] : tensors_of(module)) {
    copies.emplace(name, tensor.detach().to(at::kCPU).clone());
  }
  return copies;
}

void set_weights(torch::nn::Module& module, const NamedTensors& weights) {
  const auto own = tensors_of(module);
  const auto faults = mismatch(own, weights);
  if (!faults.empty()) {
    throw InputError({"weights do not fit the network", faults,
                      "the names and shapes of the network's parameters and buffers",
                      "build the network with the options that the weights were trained with"});
  }
  const at::NoGradGuard no_gradient;
  for (const auto& [name, tensor] : own) {
    auto target = tensor;
    target.copy_(weights.at(name));
  }
}

void save_weights(const torch::nn::Module& module, const std::filesystem::path& path) {
  io::SafeTensors file;
  for (const auto& [name, tensor] : tensors_of(module)) file.tensors[name] = to_array(tensor);
  io::write_safetensors(path, file);
}

void load_weights(torch::nn::Module& module, const std::filesystem::path& path) {
  NamedTensors weights;
  for (const auto& [name, array] : io::read_safetensors(path).tensors) {
    weights.emplace(name, to_tensor(array));
  }
  set_weights(module, weights);
}

}  // namespace algprior
