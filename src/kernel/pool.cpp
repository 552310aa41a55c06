// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "plane.hpp"

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

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;

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

// The window of a pool, and rows of which it takes the sum.
class Window {
 public:
  explicit Window(const Pool& pool) : pool_(pool), gaussian_(pool.sigma > 0) {
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
    window_sums_any<false>(from, pool_.kernel[2], pool_weight(pool_), nullptr, width, to);
  }

 private:
  const Pool& pool_;
  bool gaussian_;
  float taps_[3][kLargestGaussian];
  std::vector<const float*> rows_;
  std::vector<float> weights_;
};

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
  Window window(pool);
  for (int od = 0; od < pool.out(0, in[0]); ++od)
    for (int oh = 0; oh < pool.out(1, in[1]); ++oh) {
      const int d0 = od * pool.stride[0] - pool.padding[0];
      const int h0 = oh * pool.stride[1] - pool.padding[1];
      window.clear();
      for (int d = std::max(0, d0); d < std::min(in[0], d0 + pool.kernel[0]); ++d)
        for (int h = std::max(0, h0); h < std::min(in[1], h0 + pool.kernel[1]); ++h)
          window.add(x + (static_cast<std::ptrdiff_t>(d) * in[1] + h) * in[2], d - d0, h - h0);
      window.sum_rows(in[2], column_sums + pool.padding[2]);
      window.sum_columns(column_sums, span, sums);
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
  Window window(pool);
  for (int row = 0; row < out_depth * out_height; ++row) {
    for (int ow = 0; ow < out_width; ++ow)
      stuffed[kernel - 1 + ow * pool.stride[2]] = dout[row * out_width + ow];
    window.sum_columns(stuffed + pool.padding[2], in[2], spread + row * pitch);
  }
  for (int d = 0; d < in[0]; ++d)
    for (int h = 0; h < in[1]; ++h, dx += in[2]) {
      const Cover depth(pool, 0, out_depth, d);
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
