#include "tail.hpp"

#include "algprior/base/parallel.hpp"

namespace algprior::kernel {
namespace {

struct Scratch {
  explicit Scratch(const Tail& tail)
      : plane(tail.pool.any() ? tail.in_size() : 0),
        pool(tail.pool.any() ? pool_scratch(tail.pool, tail.in) : 0) {}

  std::vector<float> plane;
  std::vector<float> pool;
};

// The gradient of the activation's output, unpooled into the scratch where there is a pool.
const float* unpooled(const Tail& tail, const float* dout, std::int64_t plane, Scratch& scratch) {
  const float* from = dout + plane * tail.out_size();
  if (!tail.pool.any()) return from;
  unpool_plane(tail.pool, tail.in, from, scratch.pool.data(), scratch.plane.data());
  return scratch.plane.data();
}

}  // namespace

std::vector<Moments> stream_moments(const Tail& tail, const Moments* planes) {
  const auto plane_size = static_cast<double>(tail.in_size());
  std::vector<Moments> merged(tail.per_channel.size());
  for (std::int64_t sample = 0; sample < tail.batch; ++sample) {
    const auto seen = static_cast<double>(sample % tail.stream) * plane_size;
    const double share = plane_size / (seen + plane_size);
    for (int c = 0; c < tail.channels; ++c) {
      Moments& total = merged[sample / tail.stream * tail.channels + c];
      const Moments& plane = planes[sample * tail.channels + c];
      const double step = plane.mean - total.mean;
      total.mean += step * share;
      total.squares += plane.squares + step * step * seen * share;
    }
  }
  return merged;
}

void tail_forward(const Tail& tail, const float* y, float* out) {
  const std::int64_t in_size = tail.in_size();
  parallel_for(tail.batch, [&](std::int64_t begin, std::int64_t end) {
    Scratch scratch(tail);
    for (std::int64_t plane = begin * tail.channels; plane < end * tail.channels; ++plane) {
      const auto& channel = tail.at(plane / tail.channels, static_cast<int>(plane % tail.channels));
      float* to = out + plane * tail.out_size();
      float* active = tail.pool.any() ? scratch.plane.data() : to;
      activate_plane(tail.activation, y + plane * in_size, in_size, channel.scale, channel.shift,
                     active);
      if (tail.pool.any()) pool_plane(tail.pool, tail.in, active, scratch.pool.data(), to);
    }
  });
}

std::vector<PlaneSums> tail_sums(const Tail& tail, const float* y, const float* dout) {
  const std::int64_t in_size = tail.in_size();
  const std::int64_t planes = tail.batch * tail.channels;
  std::vector<PlaneSums> sums(static_cast<std::size_t>(planes));
  parallel_for(tail.batch, [&](std::int64_t begin, std::int64_t end) {
    Scratch scratch(tail);
    for (std::int64_t plane = begin * tail.channels; plane < end * tail.channels; ++plane) {
      const auto& channel = tail.at(plane / tail.channels, static_cast<int>(plane % tail.channels));
      sums[plane] = activation_sums(tail.activation, y + plane * in_size,
                                    unpooled(tail, dout, plane, scratch), in_size, channel.scale,
                                    channel.shift, channel.mean);
    }
  });
  std::vector<PlaneSums> total(tail.per_channel.size());
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    auto& to = total[plane / tail.channels / tail.stream * tail.channels + plane % tail.channels];
    to.gradient += sums[plane].gradient;
    to.product += sums[plane].product;
  }
  return total;
}

void tail_gradient(const Tail& tail, const float* y, const float* dout, std::int64_t sample,
                   float* dy) {
  const std::int64_t in_size = tail.in_size();
  Scratch scratch(tail);
  for (int c = 0; c < tail.channels; ++c) {
    const std::int64_t plane = sample * tail.channels + c;
    const auto& channel = tail.at(sample, c);
    activation_gradient(tail.activation, y + plane * in_size, unpooled(tail, dout, plane, scratch),
                        in_size, {channel.scale, channel.shift, channel.a, channel.b, channel.c},
                        dy + c * in_size);
  }
}

}  // namespace algprior::kernel
