#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace algprior {

enum class Activation { identity, elu, relu, tanh, gelu };

/// Average pooling over (depth, height, width); padding counts in the divisor. Kernel 0: none.
struct Pool {
  std::array<int, 3> kernel = {0, 0, 0};
  std::array<int, 3> stride = {1, 1, 1};
  std::array<int, 3> padding = {0, 0, 0};
  /// Above 0: the window's weights are exp(−|x|²/2σ²), x from its middle, instead of equal ones.
  double sigma = 0.0;

  bool any() const { return kernel[2] > 0; }
  int out(int axis, int in) const {
    return (in + 2 * padding[axis] - kernel[axis]) / stride[axis] + 1;
  }
};

/// A convolution of `batch` samples, float32, contiguous N×C×D×H×W (planar: D = 1). Axes are
/// (depth, height, width).
struct ConvShape {
  std::int64_t batch = 0;
  int in_channels = 0;
  int out_channels = 0;
  std::array<int, 3> in = {1, 1, 1};
  std::array<int, 3> kernel = {1, 1, 1};
  std::array<int, 3> stride = {1, 1, 1};
  std::array<int, 3> padding = {0, 0, 0};
  std::array<int, 3> replicate = {0, 0, 0};

  /// Length of an axis with its replicated pixels and its padding.
  int padded(int axis) const { return replicate[axis] + in[axis] + 2 * padding[axis]; }
  int out(int axis) const { return (padded(axis) - kernel[axis]) / stride[axis] + 1; }
  std::int64_t in_size() const { return std::int64_t{in[0]} * in[1] * in[2]; }
  std::int64_t out_size() const { return std::int64_t{out(0)} * out(1) * out(2); }
  int taps() const { return in_channels * kernel[0] * kernel[1] * kernel[2]; }
  /// Multiplications and additions of one forward pass.
  double flops() const { return 2.0 * double(batch) * double(out_size()) * taps() * out_channels; }
};

/// Mean and sum of squared deviations of one channel of one sample.
struct Moments {
  double mean = 0.0;
  double squares = 0.0;
};

/// y = conv(x, weight) + bias; bias may be null. `moments` (batch × out_channels, or null) receives
/// the moments of each plane of y while it is still in the cache. Threads share the batch.
void conv_forward(const ConvShape& shape, const float* x, const float* weight, const float* bias,
                  float* y, Moments* moments);

/// Writes the gradient of sample n's output, out_channels planes, to the given buffer.
using GradientSource = std::function<void(std::int64_t n, float* dy)>;

/// The gradients of conv_forward. dx, dweight and dbias are overwritten; each may be null. Sums
/// over the batch run in double over a fixed partition: the result does not depend on the threads.
void conv_backward(const ConvShape& shape, const float* x, const float* weight,
                   const GradientSource& gradient, float* dx, float* dweight, float* dbias);

}  // namespace algprior
