// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "plane.hpp"
#include "vector-inl.h"

#include <algorithm>
#include <cmath>
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

// to[i] = Σ_r weights[r] · rows[r][i] for i < width, without weights Σ_r rows[r][i]. The last
// vector overlaps the one before it. The number of rows is a template parameter for the windows
// that networks use, 0 for any other.
template <int kCount, bool kWeighted>
HWY_INLINE void sum_rows_of(const float* const* rows, const float* weights, int any_count,
                            int width, float* to) {
  const int count = kCount > 0 ? kCount : any_count;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (width < lanes) {
    for (int i = 0; i < width; ++i) {
      to[i] = 0.0f;
      for (int r = 0; r < count; ++r) to[i] += kWeighted ? weights[r] * rows[r][i] : rows[r][i];
    }
    return;
  }
  for (int i = 0; i < width; i += lanes) {
    const int at = std::min(i, width - lanes);
    auto sum = hn::Zero(d);
    for (int r = 0; r < count; ++r) {
      const auto row = hn::LoadU(d, rows[r] + at);
      if constexpr (kWeighted)
        sum = hn::MulAdd(hn::Set(d, weights[r]), row, sum);
      else
        sum = hn::Add(sum, row);
    }
    hn::StoreU(sum, d, to + at);
  }
}

template <bool kWeighted>
HWY_INLINE void sum_rows_any(const float* const* rows, const float* weights, int count, int width,
                             float* to) {
  switch (count) {
    case 2:
      return sum_rows_of<2, kWeighted>(rows, weights, count, width, to);
    case 3:
      return sum_rows_of<3, kWeighted>(rows, weights, count, width, to);
    case 5:
      return sum_rows_of<5, kWeighted>(rows, weights, count, width, to);
    default:
      return sum_rows_of<0, kWeighted>(rows, weights, count, width, to);
  }
}

// to[i] = weight · Σ_{j<kernel} from[i + j] for i < width rounded up to whole vectors; with taps
// Σ_j taps[j] · from[i + j].
template <int kKernel, bool kWeighted>
HWY_INLINE void window_sums_of(const float* HWY_RESTRICT from, int any_kernel, float weight,
                               const float* HWY_RESTRICT taps, int width, float* HWY_RESTRICT to) {
  const int kernel = kKernel > 0 ? kKernel : any_kernel;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto w = hn::Set(d, weight);
  for (int i = 0; i < width; i += lanes) {
    if constexpr (kWeighted) {
      auto sum = hn::Mul(hn::Set(d, taps[0]), hn::LoadU(d, from + i));
      for (int j = 1; j < kernel; ++j)
        sum = hn::MulAdd(hn::Set(d, taps[j]), hn::LoadU(d, from + i + j), sum);
      hn::StoreU(sum, d, to + i);
    } else {
      auto sum = hn::LoadU(d, from + i);
      for (int j = 1; j < kernel; ++j) sum = hn::Add(sum, hn::LoadU(d, from + i + j));
      hn::StoreU(hn::Mul(sum, w), d, to + i);
    }
  }
}

template <bool kWeighted>
HWY_INLINE void window_sums_any(const float* from, int kernel, float weight, const float* taps,
                                int width, float* to) {
  switch (kernel) {
    case 2:
      return window_sums_of<2, kWeighted>(from, kernel, weight, taps, width, to);
    case 3:
      return window_sums_of<3, kWeighted>(from, kernel, weight, taps, width, to);
    case 5:
      return window_sums_of<5, kWeighted>(from, kernel, weight, taps, width, to);
    default:
      return window_sums_of<0, kWeighted>(from, kernel, weight, taps, width, to);
  }
}

// to[i] = from[stride·i] for i < width. Reads up to a vector past the last of them.
HWY_INLINE void every(int stride, const float* from, int width, float* to) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (stride == 2 && width >= lanes) {
    for (int i = 0; i < width; i += lanes) {
      const int at = std::min(i, width - lanes);
      V even, odd;
      hn::LoadInterleaved2(d, from + 2 * at, even, odd);
      hn::StoreU(even, d, to + at);
    }
    return;
  }
  for (int i = 0; i < width; ++i) to[i] = from[i * stride];
}

// The transpose: to[stride·i] = from[i]. What lies between is zero, and stays so.
HWY_INLINE void apart(int stride, const float* from, int width, float* to) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (stride == 2 && width >= lanes) {
    for (int i = 0; i < width; i += lanes) {
      const int at = std::min(i, width - lanes);
      hn::StoreInterleaved2(hn::LoadU(d, from + at), hn::Zero(d), d, to + 2 * at);
    }
    return;
  }
  for (int i = 0; i < width; ++i) to[i * stride] = from[i];
}

// The window of a pool, and rows of which it takes the sum.
class Window {
 public:
  explicit Window(const Pool& pool)
      : pool_(pool), gaussian_(pool.sigma > 0), weight_(pool_weight(pool)) {
    rows_.reserve(static_cast<std::size_t>(pool.kernel[0] * pool.kernel[1]));
    if (!gaussian_) return;
    weights_.reserve(rows_.capacity());
    for (int axis = 0; axis < 3; ++axis) gaussian_taps(pool.kernel[axis], pool.sigma, taps_[axis]);
  }

  void clear() {
    rows_.clear();
    weights_.clear();
  }
  // The row at place (d, h) of the window.
  void add(const float* row, int d, int h) {
    rows_.push_back(row);
    if (gaussian_) weights_.push_back(taps_[0][d] * taps_[1][h]);
  }
  HWY_INLINE void sum_rows(int width, float* to) const {
    const auto count = static_cast<int>(rows_.size());
    if (gaussian_) return sum_rows_any<true>(rows_.data(), weights_.data(), count, width, to);
    sum_rows_any<false>(rows_.data(), nullptr, count, width, to);
  }
  // Along the row. The taps are symmetric, so that it is its own transpose.
  HWY_INLINE void sum_columns(const float* from, int width, float* to) const {
    if (gaussian_) return window_sums_any<true>(from, pool_.kernel[2], 1, taps_[2], width, to);
    window_sums_any<false>(from, pool_.kernel[2], weight_, nullptr, width, to);
  }

 private:
  const Pool& pool_;
  bool gaussian_;
  float weight_;
  float taps_[3][kLargestGaussian];
  std::vector<const float*> rows_;
  std::vector<float> weights_;
};

// Vertical sums of a window's rows first, along whole rows; then windows along the row, one row
// later: a row that has just been written is not read yet.
void pool_forward(const Pool& pool, const std::array<int, 3>& in, const float* x, float* scratch,
                  float* out) {
  const int padded = in[2] + 2 * pool.padding[2];
  const std::size_t row_floats = static_cast<std::size_t>(padded) + kRowSlack;
  float* column_sums[2] = {scratch, scratch + row_floats};
  float* sums = scratch + 2 * row_floats;
  std::memset(scratch, 0, sizeof(float) * 2 * row_floats);
  const int out_width = pool.out(2, in[2]);
  const int span = (out_width - 1) * pool.stride[2] + 1;
  Window window(pool);
  const auto along = [&](const float* row) HWY_ATTR {
    window.sum_columns(row, span, sums);
    every(pool.stride[2], sums, out_width, out);
    out += out_width;
  };
  int row = 0;
  for (int od = 0; od < pool.out(0, in[0]); ++od)
    for (int oh = 0; oh < pool.out(1, in[1]); ++oh, ++row) {
      const int d0 = od * pool.stride[0] - pool.padding[0];
      const int h0 = oh * pool.stride[1] - pool.padding[1];
      window.clear();
      for (int d = std::max(0, d0); d < std::min(in[0], d0 + pool.kernel[0]); ++d)
        for (int h = std::max(0, h0); h < std::min(in[1], h0 + pool.kernel[1]); ++h)
          window.add(x + (static_cast<std::ptrdiff_t>(d) * in[1] + h) * in[2], d - d0, h - h0);
      window.sum_rows(in[2], column_sums[row % 2] + pool.padding[2]);
      if (row > 0) along(column_sums[(row - 1) % 2]);
    }
  if (row > 0) along(column_sums[(row - 1) % 2]);
}

// The transpose: spread each output row along the row, then add it to the rows of its window.
void pool_backward(const Pool& pool, const std::array<int, 3>& in, const float* dout,
                   float* scratch, float* dx) {
  const int out_depth = pool.out(0, in[0]);
  const int out_height = pool.out(1, in[1]);
  const int out_width = pool.out(2, in[2]);
  const int kernel = pool.kernel[2];
  // stuffed[kernel − 1 + s·ow] = dout[ow]; input column w meets stuffed[w + padding … + kernel −
  // 1]. Two such rows: one is read while the other has just been written.
  const int stuffed_width = kernel + in[2] + 2 * pool.padding[2] + kRowSlack;
  float* spread = scratch + 2 * stuffed_width;
  const int pitch = in[2] + kRowSlack;
  std::memset(scratch, 0, sizeof(float) * 2 * static_cast<std::size_t>(stuffed_width));
  Window window(pool);
  const int rows = out_depth * out_height;
  for (int row = 0; row <= rows; ++row) {
    if (row < rows)
      apart(pool.stride[2], dout + row * out_width, out_width,
            scratch + row % 2 * stuffed_width + kernel - 1);
    if (row > 0)
      window.sum_columns(scratch + (row - 1) % 2 * stuffed_width + pool.padding[2], in[2],
                         spread + (row - 1) * pitch);
  }
  for (int d = 0; d < in[0]; ++d) {
    const Cover depth(pool, 0, out_depth, d);
    for (int h = 0; h < in[1]; ++h, dx += in[2]) {
      const Cover height(pool, 1, out_height, h);
      window.clear();
      for (int od = depth.first; od < depth.last; ++od)
        for (int oh = height.first; oh < height.last; ++oh)
          window.add(spread + (od * out_height + oh) * pitch,
                     d + pool.padding[0] - od * pool.stride[0],
                     h + pool.padding[1] - oh * pool.stride[1]);
      window.sum_rows(in[2], dx);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(pool_forward);
HWY_EXPORT(pool_backward);

void gaussian_taps(int kernel, double sigma, float* taps) {
  double weights[kLargestGaussian], sum = 0.0;
  for (int i = 0; i < kernel; ++i) {
    const double x = i - 0.5 * (kernel - 1);
    sum += weights[i] = std::exp(-x * x / (2 * sigma * sigma));
  }
  for (int i = 0; i < kernel; ++i) taps[i] = static_cast<float>(weights[i] / sum);
}

std::int64_t pool_scratch(const Pool& pool, const std::array<int, 3>& in) {
  const std::int64_t row = in[2] + 2 * pool.padding[2] + pool.kernel[2] + kRowSlack;
  return row * (3 + std::int64_t{pool.out(0, in[0])} * pool.out(1, in[1]));
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
