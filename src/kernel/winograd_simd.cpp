// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "winograd_simd.hpp"

#include "winograd_axis-inl.h"

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Bᵀ d B (N entries along an axis become N) or A g Aᵀ (M become N).
template <int M, int R, bool kSpread>
void enter(const TileGrid& grid, const float* from, float* points, std::int64_t stride) {
  constexpr int N = M + R - 1;
  constexpr int kFrom = kSpread ? M : N;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int row = 0; row < grid.rows; ++row, points += grid.count) {
    const float* start = from + grid.starts[row];
    for (int t = 0; t < grid.count; t += lanes) {
      V half[N][kFrom];
      ALGPRIOR_UNROLL for (int j = 0; j < kFrom; ++j) {
        V x[kFrom], y[N];
        ALGPRIOR_UNROLL for (int i = 0; i < kFrom; ++i) {
          x[i] = hn::LoadU(d, start + i * grid.line + grid.columns[j] + t);
        }
        if constexpr (kSpread)
          Axis<M, R>::spread(x, y);
        else
          Axis<M, R>::transform(x, y);
        ALGPRIOR_UNROLL for (int i = 0; i < N; ++i) half[i][j] = y[i];
      }
      float* to = points + t;
      ALGPRIOR_UNROLL for (int i = 0; i < N; ++i) {
        V y[N];
        if constexpr (kSpread)
          Axis<M, R>::spread(half[i], y);
        else
          Axis<M, R>::transform(half[i], y);
        ALGPRIOR_UNROLL for (int j = 0; j < N; ++j, to += stride) hn::StoreU(y[j], d, to);
      }
    }
  }
}

// m vectors, one a column of the tiles, to pixels of a line that are neighbours.
template <int M>
HWY_INLINE void store_line(const V* y, float* to) {
  const D d;
  if constexpr (M == 4) hn::StoreInterleaved4(y[0], y[1], y[2], y[3], d, to);
  if constexpr (M == 3) hn::StoreInterleaved3(y[0], y[1], y[2], d, to);
  if constexpr (M == 2) hn::StoreInterleaved2(y[0], y[1], d, to);
}

template <int M, int R>
void restore(const TileTarget& target, const float* points, std::int64_t stride, float bias,
             float* to) {
  constexpr int N = M + R - 1;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN float rest[M * HWY_MAX_BYTES / sizeof(float)];
  const V start = constant(bias);
  for (int row = 0; row < target.rows; ++row, points += target.count) {
    const int lines = target.lines[row];
    const int columns = target.columns[row];
    for (int t = 0; t < target.count; t += lanes) {
      V half[M][N];
      const float* p = points + t;
      ALGPRIOR_UNROLL for (int j = 0; j < N; ++j) {
        V x[N], y[M];
        ALGPRIOR_UNROLL for (int i = 0; i < N; ++i) {
          x[i] = hn::LoadU(d, p + (i * N + j) * stride);
        }
        Axis<M, R>::restore(x, y);
        ALGPRIOR_UNROLL for (int i = 0; i < M; ++i) half[i][j] = y[i];
      }
      ALGPRIOR_UNROLL for (int i = 0; i < M; ++i) {
        if (i >= lines) break;
        V y[M];
        Axis<M, R>::restore(half[i], y);
        ALGPRIOR_UNROLL for (int j = 0; j < M; ++j) y[j] = hn::Add(y[j], start);
        float* line = to + target.starts[row] + i * target.line;
        if (target.interleaved) {
          ALGPRIOR_UNROLL for (int j = 0; j < M; ++j) {
            if (j < columns) hn::StoreU(y[j], d, line + j * kInterleave + t);
          }
        } else if (M * (t + lanes) <= columns) {
          store_line<M>(y, line + M * t);
        } else if (M * t < columns) {
          store_line<M>(y, rest);
          for (int k = M * t; k < columns; k += lanes)
            store_first(hn::Load(d, rest + k - M * t), line + k, columns - k);
        }
      }
    }
  }
}

template <bool kSpread>
void enter_any(const TileGrid& grid, const float* from, float* points, std::int64_t stride) {
  if (grid.filtering.kernel == 5) return enter<4, 5, kSpread>(grid, from, points, stride);
  if (grid.filtering.tile == 4) return enter<4, 3, kSpread>(grid, from, points, stride);
  if (grid.filtering.tile == 3) return enter<3, 3, kSpread>(grid, from, points, stride);
  enter<2, 3, kSpread>(grid, from, points, stride);
}

void transform_any(const TileGrid& grid, const float* from, float* points, std::int64_t stride) {
  enter_any<false>(grid, from, points, stride);
}

void spread_any(const TileGrid& grid, const float* from, float* points, std::int64_t stride) {
  enter_any<true>(grid, from, points, stride);
}

void restore_any(const TileTarget& target, const float* points, std::int64_t stride, float bias,
                 float* to) {
  if (target.filtering.kernel == 5) return restore<4, 5>(target, points, stride, bias, to);
  if (target.filtering.tile == 4) return restore<4, 3>(target, points, stride, bias, to);
  if (target.filtering.tile == 3) return restore<3, 3>(target, points, stride, bias, to);
  restore<2, 3>(target, points, stride, bias, to);
}

// Windows of four vectors of N lanes.
template <std::size_t N>
HWY_INLINE void split_window(const float* from, float* to, int pitch) {
  const hn::CappedTag<float, N> d;
  hn::Vec<decltype(d)> a, b, c, e;
  hn::LoadInterleaved4(d, from, a, b, c, e);
  hn::StoreU(a, d, to);
  hn::StoreU(b, d, to + pitch);
  hn::StoreU(c, d, to + 2 * pitch);
  hn::StoreU(e, d, to + 3 * pitch);
}

// As many windows as fit, then narrower ones, the last of which overlaps the one before, then
// column by column.
template <std::size_t N>
HWY_INLINE void split_from(int column, const float* from, int count, float* to, int pitch) {
  constexpr int kPlaces = 4;
  const int window = kPlaces * static_cast<int>(hn::Lanes(hn::CappedTag<float, N>()));
  for (; column + window <= count; column += window)
    split_window<N>(from + column, to + column / kPlaces, pitch);
  if constexpr (N > 4) {
    split_from<N / 2>(column, from, count, to, pitch);
  } else {
    const int whole = count / kPlaces * kPlaces;
    if (column < whole && whole >= window) {
      split_window<N>(from + whole - window, to + (whole - window) / kPlaces, pitch);
      column = whole;
    }
    for (; column < count; ++column) to[column % kPlaces * pitch + column / kPlaces] = from[column];
  }
}

void split(const float* from, int count, float* to, int pitch) {
  split_from<HWY_MAX_BYTES / sizeof(float)>(0, from, count, to, pitch);
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(transform_any);
HWY_EXPORT(spread_any);
HWY_EXPORT(restore_any);
HWY_EXPORT(split);

void transform_tiles(const TileGrid& grid, const float* from, float* points,
                     std::int64_t point_stride) {
  HWY_DYNAMIC_DISPATCH(transform_any)(grid, from, points, point_stride);
}

void spread_tiles(const TileGrid& grid, const float* from, float* points,
                  std::int64_t point_stride) {
  HWY_DYNAMIC_DISPATCH(spread_any)(grid, from, points, point_stride);
}

void restore_tiles(const TileTarget& target, const float* points, std::int64_t point_stride,
                   float bias, float* to) {
  HWY_DYNAMIC_DISPATCH(restore_any)(target, points, point_stride, bias, to);
}

void split_columns(const float* from, int count, float* to, int pitch) {
  HWY_DYNAMIC_DISPATCH(split)(from, count, to, pitch);
}

}  // namespace algprior::kernel
#endif
