#pragma once

#include "algprior/kernel/conv_block.hpp"
#include "algprior/nn/steerable/kernel_map.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

namespace algprior::steerable {

struct ConvOptions {
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  bool bias = true;        ///< a number for each trivial part of the output, 0 at the start
  bool free_bias = false;  ///< a number for each channel, which breaks the symmetry
};

/// A convolution between fields whose kernel is made by a map. The kernel is made once a training
/// step, however often the layer is used in it, and once for all as long as the parameters stay
/// as they are. Its parameters have the map's names; "bias" and "free_bias".
class SteerableConvImpl : public torch::nn::Module {
 public:
  /// Throws InputError for a map of other kernels, a stride below 1, a padding below 0.
  SteerableConvImpl(const KernelSpace& where, KernelMap map, const ConvOptions& options = {});

  /// N×C_in×H×W (N×C_in×D×H×W) to N×C_out×…. Throws InputError for channels that do not fit.
  at::Tensor forward(const at::Tensor& x);
  /// C_out×C_in×k×k(×k).
  const at::Tensor& kernel();
  /// A number a channel, both biases together; undefined where there is none.
  at::Tensor whole_bias() const;
  /// How the kernels are to take it for these features, which are checked.
  ConvBlockConfig config_for(const at::Tensor& x) const;

  ConvOptions options;

 private:
  KernelMap map_;
  at::Tensor invariants_;  // directions of the trivial parts, a column each
  std::vector<at::Tensor> values_;
  at::Tensor bias_, free_bias_;
  std::int64_t copies_;
  at::Tensor kernel_;
  using Version = std::pair<std::uint32_t, const void*>;
  std::vector<Version> versions_;  // of all that the kernel was made from
  std::shared_ptr<bool> spent_;    // a backward pass has gone through it
};
TORCH_MODULE(SteerableConv);

}  // namespace algprior::steerable
