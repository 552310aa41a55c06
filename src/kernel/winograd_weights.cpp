// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd_weights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "winograd_weights.hpp"

#include "algprior/base/parallel.hpp"
#include "vector-inl.h"
#include "winograd_product.hpp"
#include "winograd_simd.hpp"

#include <algorithm>
#include <cstring>

#ifndef ALGPRIOR_WINOGRAD_MATRICES
#define ALGPRIOR_WINOGRAD_MATRICES

namespace algprior::kernel {

constexpr int kLargestKernel = 5;

// G for the points 0, ±¾, ±3⁄2, ∞: (1, p, p²) over the product of p's distances to the others.
constexpr float kG4[][3] = {
    {64.0f / 81, 0, 0},
    {-128.0f / 243, -96.0f / 243, -72.0f / 243},
    {-128.0f / 243, 96.0f / 243, -72.0f / 243},
    {32.0f / 243, 48.0f / 243, 72.0f / 243},
    {32.0f / 243, -48.0f / 243, 72.0f / 243},
    {0, 0, 1},
};
// 0, 1, −1, 2, ∞
constexpr float kG3[][3] = {
    {1.0f / 2, 0, 0},
    {-1.0f / 2, -1.0f / 2, -1.0f / 2},
    {-1.0f / 6, 1.0f / 6, -1.0f / 6},
    {1.0f / 6, 1.0f / 3, 2.0f / 3},
    {0, 0, 1},
};
// 0, 1, −1, ∞
constexpr float kG2[][3] = {
    {1, 0, 0},
    {1.0f / 2, 1.0f / 2, 1.0f / 2},
    {1.0f / 2, -1.0f / 2, 1.0f / 2},
    {0, 0, 1},
};

struct FloatsG45 {
  constexpr FloatsG45() {
    for (int i = 0; i < 8; ++i)
      for (int k = 0; k < 5; ++k) rows[i][k] = static_cast<float>(eight_points(i, k, 5));
  }
  float rows[8][5] = {};
};
constexpr FloatsG45 kFloatsG45;

// Row after row.
inline const float* points_matrix(const Filtering& filtering) {
  if (filtering.kernel == 5) return kFloatsG45.rows[0];
  return filtering.tile == 4 ? kG4[0] : filtering.tile == 3 ? kG3[0] : kG2[0];
}

}  // namespace algprior::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

// kProductWidth kernels at once, entry e of all at kernels[e·kProductWidth], to their points.
template <int R>
void enter_points(const Filtering& filtering, const float* kernels, float* points) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int n = filtering.side();
  const float* g = points_matrix(filtering);
  const auto combine = [&](int i, const V* w) HWY_ATTR {
    V sum = hn::Mul(hn::Set(d, g[i * R + R - 1]), w[R - 1]);
    for (int k = R - 2; k >= 0; --k) sum = hn::MulAdd(hn::Set(d, g[i * R + k]), w[k], sum);
    return sum;
  };
  for (int t = 0; t < kProductWidth; t += lanes) {
    V half[kLargestPatch][R];
    for (int col = 0; col < R; ++col) {
      V w[R];
      for (int k = 0; k < R; ++k) w[k] = hn::LoadU(d, kernels + (col + k * R) * kProductWidth + t);
      for (int i = 0; i < n; ++i) half[i][col] = combine(i, w);
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        hn::StoreU(combine(j, half[i]), d, points + (i * n + j) * kProductWidth + t);
  }
}

// The transpose: sums over the parts at kProductWidth neighbouring places, back to kernels.
template <int R>
void leave_points(const Filtering& filtering, const float* sums, std::int64_t point_stride,
                  int parts, std::int64_t part_stride, float* kernels) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int n = filtering.side();
  const float* g = points_matrix(filtering);
  for (int t = 0; t < kProductWidth; t += lanes) {
    V half[R][kLargestPatch];
    for (auto& row : half)
      for (int j = 0; j < n; ++j) row[j] = hn::Zero(d);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const float* at = sums + (i * n + j) * point_stride + t;
        V total = hn::LoadU(d, at);
        for (int part = 1; part < parts; ++part)
          total = hn::Add(total, hn::LoadU(d, at + part * part_stride));
        for (int row = 0; row < R; ++row)
          half[row][j] = hn::MulAdd(hn::Set(d, g[i * R + row]), total, half[row][j]);
      }
    for (int row = 0; row < R; ++row)
      for (int col = 0; col < R; ++col) {
        V total = hn::Zero(d);
        for (int j = 0; j < n; ++j)
          total = hn::MulAdd(hn::Set(d, g[j * R + col]), half[row][j], total);
        hn::StoreU(total, d, kernels + (row * R + col) * kProductWidth + t);
      }
  }
}

void to_points(const Filtering& filtering, const float* kernels, float* points) {
  if (filtering.kernel == 5) return enter_points<5>(filtering, kernels, points);
  enter_points<3>(filtering, kernels, points);
}

void from_points(const Filtering& filtering, const float* sums, std::int64_t point_stride,
                 int parts, std::int64_t part_stride, float* kernels) {
  if (filtering.kernel == 5)
    return leave_points<5>(filtering, sums, point_stride, parts, part_stride, kernels);
  leave_points<3>(filtering, sums, point_stride, parts, part_stride, kernels);
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(to_points);
HWY_EXPORT(from_points);

std::int64_t packed_points_size(const Filtering& filtering, int channels, int terms) {
  return std::int64_t{filtering.points()} * channels * terms;
}

void pack_points(const Filtering& filtering, const KernelSet& kernels, float* packed) {
  const int points = filtering.points();
  const int entries = filtering.kernel * filtering.kernel;
  const int blocks = channel_blocks(kernels.channels);
  const std::int64_t point_stride = std::int64_t{kernels.channels} * kernels.terms;
  parallel_for(blocks, [&](std::int64_t begin, std::int64_t end) {
    float lot[kLargestKernel * kLargestKernel * kProductWidth] = {};
    float transformed[kLargestPatch * kLargestPatch * kProductWidth];
    for (std::int64_t block = begin; block < end; ++block) {
      const auto first = static_cast<int>(kernels.channels * block / blocks);
      const auto size = static_cast<int>(kernels.channels * (block + 1) / blocks) - first;
      for (int k = 0; k < kernels.terms; ++k) {
        for (int c = 0; c < size; ++c) {
          const float* w =
              kernels.weight + (first + c) * kernels.channel_stride + k * kernels.term_stride;
          for (int e = 0; e < entries; ++e)
            lot[e * kProductWidth + c] = w[kernels.flipped ? entries - 1 - e : e];
        }
        HWY_DYNAMIC_DISPATCH(to_points)(filtering, lot, transformed);
        float* to = packed + std::int64_t{first} * kernels.terms + std::int64_t{k} * size;
        for (int point = 0; point < points; ++point)
          std::copy_n(transformed + point * kProductWidth, size, to + point * point_stride);
      }
    }
  });
}

void finish_points(const Filtering& filtering, const PointSums& sums, std::int64_t row_stride,
                   std::int64_t column_stride, float* dweight) {
  const int points = filtering.points();
  const int entries = filtering.kernel * filtering.kernel;
  const std::int64_t point_stride = std::int64_t{sums.rows} * sums.width;
  parallel_for(sums.rows, [&](std::int64_t begin, std::int64_t end) {
    float lot[kLargestKernel * kLargestKernel * kProductWidth];
    for (std::int64_t row = begin; row < end; ++row)
      for (int k = 0; k < sums.columns; k += kProductWidth) {
        HWY_DYNAMIC_DISPATCH(from_points)
        (filtering, sums.sums + row * sums.width + k, point_stride, sums.parts,
         points * point_stride, lot);
        for (int i = 0; i < std::min(kProductWidth, sums.columns - k); ++i)
          for (int e = 0; e < entries; ++e)
            dweight[row * row_stride + (k + i) * column_stride + e] = lot[e * kProductWidth + i];
      }
  });
}

}  // namespace algprior::kernel
#endif
