// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "winograd_simd.hpp"

#include <cstring>

#ifdef __clang__
#define ALGPRIOR_UNROLL _Pragma("unroll")
#else
#define ALGPRIOR_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

HWY_INLINE V constant(float value) {
  return hn::Set(D(), value);
}

// One axis. The points are 0, ±¾, ±3⁄2, ∞ for m = 4 (a quarter of the error of 0, ±1, ±2, ∞),
// 0, 1, −1, 2, ∞ for m = 3 and 0, ±1, ∞ for m = 2.
template <int M>
struct Axis;

template <>
struct Axis<4> {
  static constexpr float a = 0.75f, b = 1.5f;
  // Bᵀ
  static HWY_INLINE void transform(const V* x, V* y) {
    const V even1 = hn::NegMulAdd(constant(b * b), x[2], x[4]);
    const V odd1 = hn::NegMulAdd(constant(b * b), x[1], x[3]);
    const V even2 = hn::NegMulAdd(constant(a * a), x[2], x[4]);
    const V odd2 = hn::NegMulAdd(constant(a * a), x[1], x[3]);
    const V both = constant(a * a + b * b), product = constant(a * a * b * b);
    y[0] = hn::MulAdd(product, x[0], hn::NegMulAdd(both, x[2], x[4]));
    y[1] = hn::MulAdd(constant(a), odd1, even1);
    y[2] = hn::NegMulAdd(constant(a), odd1, even1);
    y[3] = hn::MulAdd(constant(b), odd2, even2);
    y[4] = hn::NegMulAdd(constant(b), odd2, even2);
    y[5] = hn::MulAdd(product, x[1], hn::NegMulAdd(both, x[3], x[5]));
  }
  // Aᵀ
  static HWY_INLINE void restore(const V* p, V* y) {
    const V sum1 = hn::Add(p[1], p[2]), difference1 = hn::Sub(p[1], p[2]);
    const V sum2 = hn::Add(p[3], p[4]), difference2 = hn::Sub(p[3], p[4]);
    y[0] = hn::Add(hn::Add(p[0], sum1), sum2);
    y[1] = hn::MulAdd(constant(b), difference2, hn::Mul(constant(a), difference1));
    y[2] = hn::MulAdd(constant(b * b), sum2, hn::Mul(constant(a * a), sum1));
    y[3] = hn::MulAdd(constant(b * b * b), difference2,
                      hn::MulAdd(constant(a * a * a), difference1, p[5]));
  }
  // A
  static HWY_INLINE void spread(const V* g, V* y) {
    const V even1 = hn::MulAdd(constant(a * a), g[2], g[0]);
    const V odd1 = hn::MulAdd(constant(a * a), g[3], g[1]);
    const V even2 = hn::MulAdd(constant(b * b), g[2], g[0]);
    const V odd2 = hn::MulAdd(constant(b * b), g[3], g[1]);
    y[0] = g[0];
    y[1] = hn::MulAdd(constant(a), odd1, even1);
    y[2] = hn::NegMulAdd(constant(a), odd1, even1);
    y[3] = hn::MulAdd(constant(b), odd2, even2);
    y[4] = hn::NegMulAdd(constant(b), odd2, even2);
    y[5] = g[3];
  }
};

template <>
struct Axis<3> {
  static HWY_INLINE void transform(const V* x, V* y) {
    const V two = constant(2.0f);
    const V outer = hn::Sub(x[3], x[1]);
    const V below = hn::Sub(x[3], x[2]);
    y[0] = hn::MulAdd(two, hn::Sub(x[0], x[2]), outer);
    y[1] = hn::NegMulAdd(two, x[1], below);
    y[2] = hn::MulAdd(two, hn::Sub(x[1], x[2]), below);
    y[3] = outer;
    y[4] = hn::NegMulAdd(two, outer, hn::Sub(x[4], x[2]));
  }
  static HWY_INLINE void restore(const V* p, V* y) {
    const V sum = hn::Add(p[1], p[2]), difference = hn::Sub(p[1], p[2]);
    y[0] = hn::Add(hn::Add(p[0], sum), p[3]);
    y[1] = hn::MulAdd(constant(2.0f), p[3], difference);
    y[2] = hn::MulAdd(constant(4.0f), p[3], hn::Add(sum, p[4]));
  }
  static HWY_INLINE void spread(const V* g, V* y) {
    const V even = hn::Add(g[0], g[2]);
    y[0] = g[0];
    y[1] = hn::Add(even, g[1]);
    y[2] = hn::Sub(even, g[1]);
    y[3] = hn::MulAdd(constant(4.0f), g[2], hn::MulAdd(constant(2.0f), g[1], g[0]));
    y[4] = g[2];
  }
};

template <>
struct Axis<2> {
  static HWY_INLINE void transform(const V* x, V* y) {
    y[0] = hn::Sub(x[0], x[2]);
    y[1] = hn::Add(x[1], x[2]);
    y[2] = hn::Sub(x[2], x[1]);
    y[3] = hn::Sub(x[3], x[1]);
  }
  static HWY_INLINE void restore(const V* p, V* y) {
    y[0] = hn::Add(hn::Add(p[0], p[1]), p[2]);
    y[1] = hn::Add(hn::Sub(p[1], p[2]), p[3]);
  }
  static HWY_INLINE void spread(const V* g, V* y) {
    y[0] = g[0];
    y[1] = hn::Add(g[0], g[1]);
    y[2] = hn::Sub(g[0], g[1]);
    y[3] = g[1];
  }
};

// Bᵀ d B (N entries along an axis become N) or A g Aᵀ (M become N).
template <int M, bool kSpread>
void enter(const TileGrid& grid, const float* from, float* points, std::int64_t stride) {
  constexpr int N = M + 2;
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
          Axis<M>::spread(x, y);
        else
          Axis<M>::transform(x, y);
        ALGPRIOR_UNROLL for (int i = 0; i < N; ++i) half[i][j] = y[i];
      }
      float* to = points + t;
      ALGPRIOR_UNROLL for (int i = 0; i < N; ++i) {
        V y[N];
        if constexpr (kSpread)
          Axis<M>::spread(half[i], y);
        else
          Axis<M>::transform(half[i], y);
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

template <int M>
void restore(const TileTarget& target, const float* points, std::int64_t stride, float bias,
             float* to) {
  constexpr int N = M + 2;
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
        Axis<M>::restore(x, y);
        ALGPRIOR_UNROLL for (int i = 0; i < M; ++i) half[i][j] = y[i];
      }
      ALGPRIOR_UNROLL for (int i = 0; i < M; ++i) {
        if (i >= lines) break;
        V y[M];
        Axis<M>::restore(half[i], y);
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
          std::memcpy(line + M * t, rest,
                      sizeof(float) * static_cast<std::size_t>(columns - M * t));
        }
      }
    }
  }
}

void transform_any(const TileGrid& grid, const float* from, float* points, std::int64_t stride) {
  if (grid.tile == 4) return enter<4, false>(grid, from, points, stride);
  if (grid.tile == 3) return enter<3, false>(grid, from, points, stride);
  enter<2, false>(grid, from, points, stride);
}

void spread_any(const TileGrid& grid, const float* from, float* points, std::int64_t stride) {
  if (grid.tile == 4) return enter<4, true>(grid, from, points, stride);
  if (grid.tile == 3) return enter<3, true>(grid, from, points, stride);
  enter<2, true>(grid, from, points, stride);
}

void restore_any(const TileTarget& target, const float* points, std::int64_t stride, float bias,
                 float* to) {
  if (target.tile == 4) return restore<4>(target, points, stride, bias, to);
  if (target.tile == 3) return restore<3>(target, points, stride, bias, to);
  restore<2>(target, points, stride, bias, to);
}

void split(const float* from, int count, float* to, int pitch) {
  constexpr int kPlaces = 4;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN float rest[kPlaces * HWY_MAX_BYTES / sizeof(float)] = {};
  for (; count > 0; count -= kPlaces * lanes, from += kPlaces * lanes, to += lanes) {
    if (count < kPlaces * lanes) {
      std::memcpy(rest, from, sizeof(float) * static_cast<std::size_t>(count));
      from = rest;
    }
    V a, b, c, e;
    hn::LoadInterleaved4(d, from, a, b, c, e);
    hn::StoreU(a, d, to);
    hn::StoreU(b, d, to + pitch);
    hn::StoreU(c, d, to + 2 * pitch);
    hn::StoreU(e, d, to + 3 * pitch);
  }
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
