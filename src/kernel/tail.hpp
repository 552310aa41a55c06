#pragma once

#include "algprior/kernel/conv.hpp"
#include "plane.hpp"

#include <vector>

// What follows a convolution: batch norm as an affine map per stream and channel, activation, pool.
// Nothing between the convolution's output y and the pooled result is stored: the backward pass
// computes it again, plane by plane in the cache, which costs less than memory traffic.

namespace algprior::kernel {

/// u = scale·y + shift; backward dy = a·du + b·y + c.
struct TailChannel {
  float scale = 1.0f, shift = 0.0f, mean = 0.0f;
  float a = 1.0f, b = 0.0f, c = 0.0f;
};

struct Tail {
  Activation activation = Activation::identity;
  Pool pool;
  int channels = 0;
  std::array<int, 3> in = {1, 1, 1};
  std::int64_t batch = 0;
  std::int64_t stream = 0;               ///< samples of one stream
  std::vector<TailChannel> per_channel;  ///< streams × channels

  std::int64_t in_size() const { return std::int64_t{in[0]} * in[1] * in[2]; }
  std::int64_t out_size() const {
    return pool.any() ? std::int64_t{pool.out(0, in[0])} * pool.out(1, in[1]) * pool.out(2, in[2])
                      : in_size();
  }
  const TailChannel& at(std::int64_t sample, int channel) const {
    return per_channel[sample / stream * channels + channel];
  }
};

/// Batch statistics of each stream from the planes' moments, merged in the order of the samples:
/// streams × channels, `squares` over all samples of the stream.
std::vector<Moments> stream_moments(const Tail& tail, const Moments* planes);

void tail_forward(const Tail& tail, const float* y, float* out);

/// For each stream and channel Σ du and Σ du·(y − mean).
std::vector<PlaneSums> tail_sums(const Tail& tail, const float* y, const float* dout);

/// The gradient of one sample's y, all channels. Not threaded.
void tail_gradient(const Tail& tail, const float* y, const float* dout, std::int64_t sample,
                   float* dy);

}  // namespace algprior::kernel
