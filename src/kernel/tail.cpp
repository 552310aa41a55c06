#include "tail.hpp"

#include "algprior/base/parallel.hpp"

#include <algorithm>

namespace algprior::kernel {
namespace {

// One window that covers the whole plane: a mean, and its gradient a constant.
bool pools_all(const Tail& tail) {
  if (!tail.pool.any() || tail.out_size() != 1) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (tail.pool.kernel[axis] - tail.pool.padding[axis] < tail.in[axis]) return false;
  return true;
}

float window_share(const Pool& pool) {
  return 1.0f / static_cast<float>(pool.kernel[0] * pool.kernel[1] * pool.kernel[2]);
}

struct Scratch {
  explicit Scratch(const Tail& tail)
      : whole(pools_all(tail)),
        plane(tail.pool.any() ? tail.in_size() : 0),
        pool(tail.pool.any() && !whole ? pool_scratch(tail.pool, tail.in) : 0) {}

  bool whole;
  std::vector<float> plane;
  std::vector<float> pool;
};

// Columns first, then along the row: the sums of pool_plane to the bit.
float pool_all(const Tail& tail, const float* plane) {
  const std::int64_t width = tail.in[2], rows = tail.in_size() / width;
  float sum = 0.0f;
  for (std::int64_t column = 0; column < width; ++column) {
    float of_column = 0.0f;
    for (std::int64_t row = 0; row < rows; ++row) of_column += plane[row * width + column];
    sum += of_column;
  }
  return sum * window_share(tail.pool);
}

// The gradient of the activation's output, unpooled into the scratch where there is a pool.
const float* unpooled(const Tail& tail, const float* dout, std::int64_t plane, Scratch& scratch) {
  const float* from = dout + plane * tail.out_size();
  if (!tail.pool.any()) return from;
  if (scratch.whole) {
    std::fill(scratch.plane.begin(), scratch.plane.end(), *from * window_share(tail.pool));
  } else {
    unpool_plane(tail.pool, tail.in, from, scratch.pool.data(), scratch.plane.data());
  }
  return scratch.plane.data();
}

}  // namespace

std::vector<Moments> stream_moments(const Tail& tail, const Moments* planes) {
  const auto plane_size = static_cast<double>(tail.in_size());
  std::vector<Moments> merged(tail.per_channel.size());
  for (std::int64_t sample = 0; sample < tail.batch; ++sample) {
    const auto seen = static_cast<double>(sample % tail.stream) * plane_size;
    const double share = plane_size / (seen + plane_size);
    Moments* const of_stream = merged.data() + sample / tail.stream * tail.channels;
    for (int c = 0; c < tail.channels; ++c) {
      Moments& total = of_stream[c];
      const Moments& plane = planes[sample * tail.channels + c];
      const double step = plane.mean - total.mean;
      total.mean += step * share;
      total.squares += plane.squares + step * step * seen * share;
    }
  }
  return merged;
}

// Samples and channels in two loops: divisions for each small plane would cost as much as its sums.
void tail_forward(const Tail& tail, const float* y, float* out) {
  const std::int64_t in_size = tail.in_size(), out_size = tail.out_size();
  const bool pools = tail.pool.any();
  parallel_for(tail.batch, [&](std::int64_t begin, std::int64_t end) {
    Scratch scratch(tail);
    for (std::int64_t sample = begin; sample < end; ++sample) {
      const TailChannel* const channels = &tail.at(sample, 0);
      for (int c = 0; c < tail.channels; ++c) {
        const std::int64_t plane = sample * tail.channels + c;
        float* to = out + plane * out_size;
        float* active = pools ? scratch.plane.data() : to;
        activate_plane(tail.activation, y + plane * in_size, in_size, channels[c].scale,
                       channels[c].shift, active);
        if (scratch.whole)
          *to = pool_all(tail, active);
        else if (pools)
          pool_plane(tail.pool, tail.in, active, scratch.pool.data(), to);
      }
    }
  });
}

std::vector<PlaneSums> tail_sums(const Tail& tail, const float* y, const float* dout) {
  const std::int64_t in_size = tail.in_size();
  std::vector<PlaneSums> sums(static_cast<std::size_t>(tail.batch * tail.channels));
  parallel_for(tail.batch, [&](std::int64_t begin, std::int64_t end) {
    Scratch scratch(tail);
    for (std::int64_t sample = begin; sample < end; ++sample) {
      const TailChannel* const channels = &tail.at(sample, 0);
      for (int c = 0; c < tail.channels; ++c) {
        const std::int64_t plane = sample * tail.channels + c;
        sums[plane] = activation_sums(tail.activation, y + plane * in_size,
                                      unpooled(tail, dout, plane, scratch), in_size,
                                      channels[c].scale, channels[c].shift, channels[c].mean);
      }
    }
  });
  std::vector<PlaneSums> total(tail.per_channel.size());
  for (std::int64_t sample = 0; sample < tail.batch; ++sample) {
    const PlaneSums* const planes = sums.data() + sample * tail.channels;
    PlaneSums* const of_stream = total.data() + sample / tail.stream * tail.channels;
    for (int c = 0; c < tail.channels; ++c) {
      of_stream[c].gradient += planes[c].gradient;
      of_stream[c].product += planes[c].product;
    }
  }
  return total;
}

void tail_gradient(const Tail& tail, const float* y, const float* dout, std::int64_t sample,
                   float* dy) {
  const std::int64_t in_size = tail.in_size();
  Scratch scratch(tail);
  const TailChannel* const channels = &tail.at(sample, 0);
  for (int c = 0; c < tail.channels; ++c) {
    const std::int64_t plane = sample * tail.channels + c;
    const auto& channel = channels[c];
    activation_gradient(tail.activation, y + plane * in_size, unpooled(tail, dout, plane, scratch),
                        in_size, {channel.scale, channel.shift, channel.a, channel.b, channel.c},
                        dy + c * in_size);
  }
}

}  // namespace algprior::kernel
