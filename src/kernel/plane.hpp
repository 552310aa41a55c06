#pragma once

#include "algprior/kernel/conv.hpp"

#include <array>
#include <cstdint>

// What happens to one plane (one channel of one sample, 5–100 KB) while it is in the cache.

namespace algprior::kernel {

double plane_sum(const float* x, std::int64_t count);

/// Two passes: the deviations are taken from the plane's own mean.
Moments plane_moments(const float* x, std::int64_t count);

/// out = activation(scale·y + shift)
void activate_plane(Activation activation, const float* y, std::int64_t count, float scale,
                    float shift, float* out);

/// With du = da · activation'(scale·y + shift): Σ du and Σ du·(y − mean).
struct PlaneSums {
  double gradient = 0.0;
  double product = 0.0;
};
PlaneSums activation_sums(Activation activation, const float* y, const float* da,
                          std::int64_t count, float scale, float shift, float mean);

/// dy = a·du + b·y + c with du as above: the gradient through batch norm and activation.
struct PlaneGradient {
  float scale, shift;
  float a, b, c;
};
void activation_gradient(Activation activation, const float* y, const float* da, std::int64_t count,
                         const PlaneGradient& gradient, float* dy);

/// The same three for SiLU, u·sigmoid(u), which no convolution block has.
void silu_plane(const float* y, std::int64_t count, float scale, float shift, float* out);
PlaneSums silu_sums(const float* y, const float* da, std::int64_t count, float scale, float shift,
                    float mean);
void silu_gradient(const float* y, const float* da, std::int64_t count,
                   const PlaneGradient& gradient, float* dy);

/// The weights of a Gaussian window along one axis, which add up to 1.
constexpr int kLargestGaussian = 16;
void gaussian_taps(int kernel, double sigma, float* taps);

/// Average pooling of a D×H×W plane and its gradient (overwritten). The scratch buffer holds
/// pool_scratch floats.
std::int64_t pool_scratch(const Pool& pool, const std::array<int, 3>& in);
void pool_plane(const Pool& pool, const std::array<int, 3>& in, const float* x, float* scratch,
                float* out);
void unpool_plane(const Pool& pool, const std::array<int, 3>& in, const float* dout, float* scratch,
                  float* dx);

}  // namespace algprior::kernel
