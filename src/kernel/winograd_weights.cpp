// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd_weights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "winograd_weights.hpp"

#include "algprior/base/parallel.hpp"
#include "winograd_product.hpp"
#include "winograd_simd.hpp"

#include <algorithm>
#include <cstring>

#ifndef ALGPRIOR_WINOGRAD_MATRICES
#define ALGPRIOR_WINOGRAD_MATRICES

namespace algprior::kernel {

constexpr int kKernelSide = 3;
constexpr int kKernelSize = kKernelSide * kKernelSide;

// G for the points 0, ±¾, ±3⁄2, ∞: (1, p, p²) over the product of p's distances to the others.
constexpr float kG4[][kKernelSide] = {
    {64.0f / 81, 0, 0},
    {-128.0f / 243, -96.0f / 243, -72.0f / 243},
    {-128.0f / 243, 96.0f / 243, -72.0f / 243},
    {32.0f / 243, 48.0f / 243, 72.0f / 243},
    {32.0f / 243, -48.0f / 243, 72.0f / 243},
    {0, 0, 1},
};
// 0, 1, −1, 2, ∞
constexpr float kG3[][kKernelSide] = {
    {1.0f / 2, 0, 0},
    {-1.0f / 2, -1.0f / 2, -1.0f / 2},
    {-1.0f / 6, 1.0f / 6, -1.0f / 6},
    {1.0f / 6, 1.0f / 3, 2.0f / 3},
    {0, 0, 1},
};
// 0, 1, −1, ∞
constexpr float kG2[][kKernelSide] = {
    {1, 0, 0},
    {1.0f / 2, 1.0f / 2, 1.0f / 2},
    {1.0f / 2, -1.0f / 2, 1.0f / 2},
    {0, 0, 1},
};

inline const float (*points_matrix(int tile))[kKernelSide] {
  return tile == 4 ? kG4 : tile == 3 ? kG3 : kG2;
}

}  // namespace algprior::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// kProductWidth kernels at once, entry e of all at kernels[e·kProductWidth], to their points.
void to_points(int tile, const float* kernels, float* points) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int n = tile + 2;
  const auto* g = points_matrix(tile);
  for (int t = 0; t < kProductWidth; t += lanes) {
    V half[kLargestPatch][kKernelSide];
    for (int col = 0; col < kKernelSide; ++col) {
      const V w0 = hn::LoadU(d, kernels + col * kProductWidth + t);
      const V w1 = hn::LoadU(d, kernels + (col + kKernelSide) * kProductWidth + t);
      const V w2 = hn::LoadU(d, kernels + (col + 2 * kKernelSide) * kProductWidth + t);
      for (int i = 0; i < n; ++i)
        half[i][col] =
            hn::MulAdd(hn::Set(d, g[i][0]), w0,
                       hn::MulAdd(hn::Set(d, g[i][1]), w1, hn::Mul(hn::Set(d, g[i][2]), w2)));
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        hn::StoreU(hn::MulAdd(hn::Set(d, g[j][0]), half[i][0],
                              hn::MulAdd(hn::Set(d, g[j][1]), half[i][1],
                                         hn::Mul(hn::Set(d, g[j][2]), half[i][2]))),
                   d, points + (i * n + j) * kProductWidth + t);
  }
}

// The transpose: sums over the parts at kProductWidth neighbouring places, back to kernels.
void from_points(int tile, const float* sums, std::int64_t point_stride, int parts,
                 std::int64_t part_stride, float* kernels) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int n = tile + 2;
  const auto* g = points_matrix(tile);
  for (int t = 0; t < kProductWidth; t += lanes) {
    V half[kKernelSide][kLargestPatch];
    for (auto& row : half)
      for (int j = 0; j < n; ++j) row[j] = hn::Zero(d);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const float* at = sums + (i * n + j) * point_stride + t;
        V total = hn::LoadU(d, at);
        for (int part = 1; part < parts; ++part)
          total = hn::Add(total, hn::LoadU(d, at + part * part_stride));
        for (int row = 0; row < kKernelSide; ++row)
          half[row][j] = hn::MulAdd(hn::Set(d, g[i][row]), total, half[row][j]);
      }
    for (int row = 0; row < kKernelSide; ++row)
      for (int col = 0; col < kKernelSide; ++col) {
        V total = hn::Zero(d);
        for (int j = 0; j < n; ++j) total = hn::MulAdd(hn::Set(d, g[j][col]), half[row][j], total);
        hn::StoreU(total, d, kernels + (row * kKernelSide + col) * kProductWidth + t);
      }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(to_points);
HWY_EXPORT(from_points);

std::int64_t packed_points_size(int tile, int channels, int terms) {
  return std::int64_t{tile + 2} * (tile + 2) * channels * terms;
}

void pack_points(int tile, const KernelSet& kernels, float* packed) {
  const int points = (tile + 2) * (tile + 2);
  const int blocks = channel_blocks(kernels.channels);
  const std::int64_t point_stride = std::int64_t{kernels.channels} * kernels.terms;
  parallel_for(blocks, [&](std::int64_t begin, std::int64_t end) {
    float lot[kKernelSize * kProductWidth] = {};
    float transformed[kLargestPatch * kLargestPatch * kProductWidth];
    for (std::int64_t block = begin; block < end; ++block) {
      const auto first = static_cast<int>(kernels.channels * block / blocks);
      const auto size = static_cast<int>(kernels.channels * (block + 1) / blocks) - first;
      for (int k = 0; k < kernels.terms; ++k) {
        for (int c = 0; c < size; ++c) {
          const float* w =
              kernels.weight + (first + c) * kernels.channel_stride + k * kernels.term_stride;
          for (int e = 0; e < kKernelSize; ++e)
            lot[e * kProductWidth + c] = w[kernels.flipped ? kKernelSize - 1 - e : e];
        }
        HWY_DYNAMIC_DISPATCH(to_points)(tile, lot, transformed);
        float* to = packed + std::int64_t{first} * kernels.terms + std::int64_t{k} * size;
        for (int point = 0; point < points; ++point)
          std::copy_n(transformed + point * kProductWidth, size, to + point * point_stride);
      }
    }
  });
}

void finish_points(int tile, const PointSums& sums, std::int64_t row_stride,
                   std::int64_t column_stride, float* dweight) {
  const int points = (tile + 2) * (tile + 2);
  const std::int64_t point_stride = std::int64_t{sums.rows} * sums.width;
  parallel_for(sums.rows, [&](std::int64_t begin, std::int64_t end) {
    float lot[kKernelSize * kProductWidth];
    for (std::int64_t row = begin; row < end; ++row)
      for (int k = 0; k < sums.columns; k += kProductWidth) {
        HWY_DYNAMIC_DISPATCH(from_points)
        (tile, sums.sums + row * sums.width + k, point_stride, sums.parts, points * point_stride,
         lot);
        for (int i = 0; i < std::min(kProductWidth, sums.columns - k); ++i)
          for (int e = 0; e < kKernelSize; ++e)
            dweight[row * row_stride + (k + i) * column_stride + e] = lot[e * kProductWidth + i];
      }
  });
}

}  // namespace algprior::kernel
#endif
