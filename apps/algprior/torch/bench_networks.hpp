#pragma once

#include "algprior/nn/conv_block.hpp"
#include "torch/bench_cases.hpp"

#include <vector>

#include <torch/nn/modules/linear.h>

namespace algprior {

/// The DDMNIST network from ConvBlocks, for benchmarks: weights by a formula that a Python script
/// can repeat.
struct DdmnistBench {
  DdmnistBench();

  at::Tensor encode(const at::Tensor& x, std::int64_t streams);
  at::Tensor decode(const at::Tensor& z);
  std::vector<at::Tensor> parameters() const;
  void set_formula_weights();
  void zero_grad();

  std::vector<nn::ConvBlock2d> blocks;
  torch::nn::BatchNorm1d norm{nullptr};
  torch::nn::Linear head{nullptr};
};

/// Forward and backward of the volume network, kernels against LibTorch.
BenchRow medmnist_row(const BenchSettings& settings);
/// Forward and backward of the wide network of the smoke experiment by the automatic choice.
BenchRow smoke_row(const BenchSettings& settings);

}  // namespace algprior
