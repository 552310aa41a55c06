// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "transpose.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "transpose.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Four rows of four, turned: column k goes to to[k].
HWY_INLINE void turn(const float* const* from, float* const* to) {
#if HWY_TARGET == HWY_SCALAR
  for (int k = 0; k < 4; ++k)
    for (int n = 0; n < 4; ++n) to[k][n] = from[n][k];
#else
  const hn::FixedTag<float, 4> d;
  const auto a = hn::LoadU(d, from[0]), b = hn::LoadU(d, from[1]);
  const auto c = hn::LoadU(d, from[2]), e = hn::LoadU(d, from[3]);
  const auto low1 = hn::InterleaveLower(d, a, c), low2 = hn::InterleaveLower(d, b, e);
  const auto high1 = hn::InterleaveUpper(d, a, c), high2 = hn::InterleaveUpper(d, b, e);
  hn::StoreU(hn::InterleaveLower(d, low1, low2), d, to[0]);
  hn::StoreU(hn::InterleaveUpper(d, low1, low2), d, to[1]);
  hn::StoreU(hn::InterleaveLower(d, high1, high2), d, to[2]);
  hn::StoreU(hn::InterleaveUpper(d, high1, high2), d, to[3]);
#endif
}

void interleave(const float* from, std::int64_t stride, int rows, int count, const int* places,
                float* to) {
  if (rows < kInterleave)
    for (int i = 0; i < count; ++i) std::fill_n(to + places[i], kInterleave, 0.0f);
  for (int n = 0; n < rows; n += 4) {
    const float* row = from + n * stride;
    int i = 0;
    if (n + 4 <= rows)
      for (; i + 4 <= count; i += 4) {
        float* const out[4] = {to + places[i] + n, to + places[i + 1] + n, to + places[i + 2] + n,
                               to + places[i + 3] + n};
        const float* const in[4] = {row + i, row + i + stride, row + i + 2 * stride,
                                    row + i + 3 * stride};
        turn(in, out);
      }
    for (; i < count; ++i)
      for (int k = 0; k < std::min(4, rows - n); ++k) to[places[i] + n + k] = row[k * stride + i];
  }
}

void separate(const float* from, const int* places, int count, int rows, float* to,
              std::int64_t stride) {
  for (int n = 0; n < rows; n += 4) {
    float* row = to + n * stride;
    int i = 0;
    if (n + 4 <= rows)
      for (; i + 4 <= count; i += 4) {
        const float* const in[4] = {from + places[i] + n, from + places[i + 1] + n,
                                    from + places[i + 2] + n, from + places[i + 3] + n};
        float* const out[4] = {row + i, row + i + stride, row + i + 2 * stride,
                               row + i + 3 * stride};
        turn(in, out);
      }
    for (; i < count; ++i)
      for (int k = 0; k < std::min(4, rows - n); ++k) row[k * stride + i] = from[places[i] + n + k];
  }
}

void turn_all(const float* from, std::int64_t from_stride, int rows, int columns, float* to,
              std::int64_t to_stride) {
  for (int n = 0; n < rows; n += 4) {
    const float* row = from + n * from_stride;
    int i = 0;
    if (n + 4 <= rows)
      for (; i + 4 <= columns; i += 4) {
        float* first = to + i * to_stride + n;
        float* const out[4] = {first, first + to_stride, first + 2 * to_stride,
                               first + 3 * to_stride};
        const float* const in[4] = {row + i, row + i + from_stride, row + i + 2 * from_stride,
                                    row + i + 3 * from_stride};
        turn(in, out);
      }
    for (; i < columns; ++i)
      for (int k = 0; k < std::min(4, rows - n); ++k)
        to[i * to_stride + n + k] = row[k * from_stride + i];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(interleave);
HWY_EXPORT(separate);
HWY_EXPORT(turn_all);

void interleave_samples(const float* from, std::int64_t stride, int rows, int count,
                        const int* places, float* to) {
  HWY_DYNAMIC_DISPATCH(interleave)(from, stride, rows, count, places, to);
}

void separate_places(const float* from, const int* places, int count, int rows, float* to,
                     std::int64_t stride) {
  HWY_DYNAMIC_DISPATCH(separate)(from, places, count, rows, to, stride);
}

void separate_samples(const float* from, int count, int rows, float* to, std::int64_t stride) {
  HWY_DYNAMIC_DISPATCH(turn_all)(from, kInterleave, count, rows, to, stride);
}

void transpose(const float* from, std::int64_t from_stride, int rows, int columns, float* to,
               std::int64_t to_stride) {
  HWY_DYNAMIC_DISPATCH(turn_all)(from, from_stride, rows, columns, to, to_stride);
}

}  // namespace algprior::kernel
#endif
