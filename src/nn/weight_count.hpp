#pragma once

#include "algprior/base/memory.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace algprior::nn {

/// Counts the weights that a network is going to have, before they are allocated.
class WeightCount {
 public:
  void add_linear(std::int64_t in, std::int64_t out) {
    add(static_cast<double>(in) * static_cast<double>(out) + static_cast<double>(out));
  }
  void add_convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, int dimensions) {
    double weights = static_cast<double>(in) * static_cast<double>(out);
    for (int axis = 0; axis < dimensions; ++axis) weights *= static_cast<double>(kernel);
    add(weights + static_cast<double>(out));
  }
  void add(double weights) { weights_ += weights; }

  /// Throws LimitError when training them cannot fit into memory.
  void check(const std::string& what) const {
    // float32: the weight, its gradient, Adam's two moments, the best weights.
    constexpr double kBytes = 5 * 4;
    check_memory(kBytes * weights_, "the network",
                 fmt::format("{}, {:.3g} weights", what, weights_));
  }

 private:
  double weights_ = 0;
};

}  // namespace algprior::nn
