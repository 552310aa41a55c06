// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "plane.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#ifndef ALGPRIOR_POOL_GEOMETRY
#define ALGPRIOR_POOL_GEOMETRY
namespace algprior::kernel {

// Rows are read and written in whole vectors: two of the widest instruction set.
constexpr int kRowSlack = 32;

// Output positions whose window covers input position x: [first, last).
struct Cover {
  Cover(const Pool& pool, int axis, int out, int x) {
    const int at = x + pool.padding[axis];
    const int stride = pool.stride[axis];
    first = std::max(0, (at - pool.kernel[axis] + stride) / stride);
    if (at < pool.kernel[axis]) first = 0;
    last = std::min(out, at / stride + 1);
  }
  int first;
  int last;
};

inline float pool_weight(const Pool& pool) {
  return 1.0f / static_cast<float>(pool.kernel[0] * pool.kernel[1] * pool.kernel[2]);
}

}  // namespace algprior::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;

// to[i] = Σ_r rows[r][i] for i < width. The last vector overlaps the one before it. The number of
// rows is a template parameter for the windows that networks use, 0 for any other.
template <int kCount>
HWY_INLINE void sum_rows_of(const float* const* rows, int any_count, int width, float* to) {
  const int count = kCount > 0 ? kCount : any_count;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (width < lanes) {
    for (int i = 0; i < width; ++i) {
      to[i] = 0.0f;
      for (int r = 0; r < count; ++r) to[i] += rows[r][i];
    }
    return;
  }
  for (int i = 0; i < width; i += lanes) {
    const int at = std::min(i, width - lanes);
    auto sum = hn::Zero(d);
    for (int r = 0; r < count; ++r) sum = hn::Add(sum, hn::LoadU(d, rows[r] + at));
    hn::StoreU(sum, d, to + at);
  }
}

HWY_INLINE void sum_rows(const float* const* rows, int count, int width, float* to) {
  switch (count) {
    case 2:
      return sum_rows_of<2>(rows, count, width, to);
    case 3:
      return sum_rows_of<3>(rows, count, width, to);
    case 5:
      return sum_rows_of<5>(rows, count, width, to);
    default:
      return sum_rows_of<0>(rows, count, width, to);
  }
}

// to[i] = weight · Σ_{j<kernel} from[i + j] for i < width rounded up to whole vectors.
template <int kKernel>
HWY_INLINE void window_sums_of(const float* HWY_RESTRICT from, int any_kernel, float weight,
                               int width, float* HWY_RESTRICT to) {
  const int kernel = kKernel > 0 ? kKernel : any_kernel;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto w = hn::Set(d, weight);
  for (int i = 0; i < width; i += lanes) {
    auto sum = hn::LoadU(d, from + i);
    for (int j = 1; j < kernel; ++j) sum = hn::Add(sum, hn::LoadU(d, from + i + j));
    hn::StoreU(hn::Mul(sum, w), d, to + i);
  }
}

HWY_INLINE void window_sums(const float* from, int kernel, float weight, int width, float* to) {
  switch (kernel) {
    case 2:
      return window_sums_of<2>(from, kernel, weight, width, to);
    case 3:
      return window_sums_of<3>(from, kernel, weight, width, to);
    case 5:
      return window_sums_of<5>(from, kernel, weight, width, to);
    default:
      return window_sums_of<0>(from, kernel, weight, width, to);
  }
}

// Vertical sums of a window's rows first, along whole rows; then windows along the row.
void pool_forward(const Pool& pool, const std::array<int, 3>& in, const float* x, float* scratch,
                  float* out) {
  const int padded = in[2] + 2 * pool.padding[2];
  const std::size_t row_floats = static_cast<std::size_t>(padded) + kRowSlack;
  float* column_sums = scratch;
  float* sums = scratch + row_floats;
  std::memset(column_sums, 0, sizeof(float) * row_floats);
  const int out_width = pool.out(2, in[2]);
  const int span = (out_width - 1) * pool.stride[2] + 1;
  std::vector<const float*> rows;
  rows.reserve(static_cast<std::size_t>(pool.kernel[0] * pool.kernel[1]));
  for (int od = 0; od < pool.out(0, in[0]); ++od)
    for (int oh = 0; oh < pool.out(1, in[1]); ++oh) {
      const int d0 = od * pool.stride[0] - pool.padding[0];
      const int h0 = oh * pool.stride[1] - pool.padding[1];
      rows.clear();
      for (int d = std::max(0, d0); d < std::min(in[0], d0 + pool.kernel[0]); ++d)
        for (int h = std::max(0, h0); h < std::min(in[1], h0 + pool.kernel[1]); ++h)
          rows.push_back(x + (static_cast<std::ptrdiff_t>(d) * in[1] + h) * in[2]);
      sum_rows(rows.data(), static_cast<int>(rows.size()), in[2], column_sums + pool.padding[2]);
      window_sums(column_sums, pool.kernel[2], pool_weight(pool), span, sums);
      for (int ow = 0; ow < out_width; ++ow) *out++ = sums[ow * pool.stride[2]];
    }
}

// The transpose: spread each output row along the row, then add it to the rows of its window.
void pool_backward(const Pool& pool, const std::array<int, 3>& in, const float* dout,
                   float* scratch, float* dx) {
  const int out_depth = pool.out(0, in[0]);
  const int out_height = pool.out(1, in[1]);
  const int out_width = pool.out(2, in[2]);
  const int kernel = pool.kernel[2];
  const int slack = kRowSlack;
  // stuffed[kernel − 1 + s·ow] = dout[ow]; input column w meets stuffed[w + padding … + kernel −
  // 1].
  const int stuffed_width = kernel + in[2] + 2 * pool.padding[2] + slack;
  float* stuffed = scratch;
  float* spread = scratch + stuffed_width;
  const int pitch = in[2] + slack;
  std::memset(stuffed, 0, sizeof(float) * static_cast<std::size_t>(stuffed_width));
  for (int row = 0; row < out_depth * out_height; ++row) {
    for (int ow = 0; ow < out_width; ++ow)
      stuffed[kernel - 1 + ow * pool.stride[2]] = dout[row * out_width + ow];
    window_sums(stuffed + pool.padding[2], kernel, pool_weight(pool), in[2], spread + row * pitch);
  }
  std::vector<const float*> rows;
  rows.reserve(static_cast<std::size_t>(pool.kernel[0] * pool.kernel[1]));
  for (int d = 0; d < in[0]; ++d)
    for (int h = 0; h < in[1]; ++h, dx += in[2]) {
      const Cover depth(pool, 0, out_depth, d);
      const Cover height(pool, 1, out_height, h);
      rows.clear();
      for (int od = depth.first; od < depth.last; ++od)
        for (int oh = height.first; oh < height.last; ++oh)
          rows.push_back(spread + (od * out_height + oh) * pitch);
      sum_rows(rows.data(), static_cast<int>(rows.size()), in[2], dx);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(pool_forward);
HWY_EXPORT(pool_backward);

std::int64_t pool_scratch(const Pool& pool, const std::array<int, 3>& in) {
  const std::int64_t row = in[2] + 2 * pool.padding[2] + pool.kernel[2] + kRowSlack;
  return row * (2 + std::int64_t{pool.out(0, in[0])} * pool.out(1, in[1]));
}

void pool_plane(const Pool& pool, const std::array<int, 3>& in, const float* x, float* scratch,
                float* out) {
  HWY_DYNAMIC_DISPATCH(pool_forward)(pool, in, x, scratch, out);
}

void unpool_plane(const Pool& pool, const std::array<int, 3>& in, const float* dout, float* scratch,
                  float* dx) {
  HWY_DYNAMIC_DISPATCH(pool_backward)(pool, in, dout, scratch, dx);
}

}  // namespace algprior::kernel
#endif
