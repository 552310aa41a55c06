#pragma once

#include "winograd_simd.hpp"

#include <cstdint>

// Winograd's transform of the weights and its transpose. G (n×r) belongs to the points of
// winograd_axis-inl.h: u = G w Gᵀ for a kernel w, and Gᵀ s G for the gradient.

namespace algprior::kernel {

/// Entry (point, k) of G for a kernel of r entries at the points 0, ±1, ±2, ±½, ∞, as
/// winograd_axis-inl.h has them: pᵏ by the product of p's distances to the others.
constexpr double eight_points(int point, int k, int kernel) {
  constexpr double kPoint[] = {0, 1, -1, 2, -2, 0.5, -0.5};
  constexpr double kScale[] = {-1, -2.0 / 9, -2.0 / 9, 1.0 / 90, 1.0 / 90, 32.0 / 45, 32.0 / 45};
  if (point == 7) return k == kernel - 1 ? 1.0 : 0.0;
  double power = 1.0;
  for (int i = 0; i < k; ++i) power *= kPoint[point];
  return kScale[point] * power;
}

/// A set of r×r kernels w(c, k) of which channel c of the result sums k.
struct KernelSet {
  const float* weight = nullptr;
  int channels = 0;
  int terms = 0;
  std::int64_t channel_stride = 0;
  std::int64_t term_stride = 0;
  bool flipped = false;  ///< each kernel turned by 180°, as the gradient of the input wants it
};

/// Floats that pack_points writes.
std::int64_t packed_points_size(const Filtering& filtering, int channels, int terms);

/// u of all kernels, point after point in the order of multiply_point. Threaded over channels.
void pack_points(const Filtering& filtering, const KernelSet& kernels, float* packed);

/// Sums at the points, parts × points × rows × width, of which `columns` are in use.
struct PointSums {
  const float* sums = nullptr;
  int parts = 0;
  int rows = 0;
  int columns = 0;
  int width = 0;
};

/// Gᵀ(Σ_part s)G for row r and column k to dweight[r·row_stride + k·column_stride …], r² floats
/// each. Threaded over rows.
void finish_points(const Filtering& filtering, const PointSums& sums, std::int64_t row_stride,
                   std::int64_t column_stride, float* dweight);

}  // namespace algprior::kernel
