// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "filtered_rows_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "filtered_rows_simd.hpp"

#include "winograd_axis-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void transform(const float* const* rows, int count, float* to, int pitch) {
  constexpr int kPoints = 8;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < count; i += lanes, to += lanes) {
    V x[kPoints], y[kPoints];
    for (int k = 0; k < kPoints; ++k) x[k] = hn::LoadU(d, rows[k] + i);
    Axis<4, 5>::transform(x, y);
    for (int k = 0; k < kPoints; ++k) hn::StoreU(y[k], d, to + k * pitch);
  }
}

template <int R>
void restore(const float* from, int pitch, float bias, int width, float* const* targets) {
  constexpr int kPoints = 8, kRows = kPoints + 1 - R;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const V start = constant(bias);
  // The last vector of a row overlaps the one before it; a row shorter than a vector goes through
  // a buffer, and so does a row that nobody wants.
  const bool narrow = width < lanes;
  constexpr int kVector = HWY_MAX_BYTES / sizeof(float);
  HWY_ALIGN float rest[kRows * kVector];
  for (int next = 0; next < width; next += lanes) {
    const int i = narrow || next + lanes <= width ? next : width - lanes;
    V p[kPoints], y[kRows];
    for (int k = 0; k < kPoints; ++k) p[k] = hn::LoadU(d, from + k * pitch + i);
    Axis<kRows, R>::restore(p, y);
    for (int k = 0; k < kRows; ++k)
      hn::StoreU(hn::Add(y[k], start), d,
                 narrow || targets[k] == nullptr ? rest + k * kVector : targets[k] + i);
  }
  if (!narrow) return;
  for (int k = 0; k < kRows; ++k)
    if (targets[k] != nullptr) std::copy_n(rest + k * kVector, width, targets[k]);
}

template <int R>
void spread(const float* const* rows, int count, float* to, int pitch) {
  constexpr int kPoints = 8, kRows = kPoints + 1 - R;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < count; i += lanes, to += lanes) {
    V g[kRows], y[kPoints];
    for (int k = 0; k < kRows; ++k) g[k] = hn::LoadU(d, rows[k] + i);
    Axis<kRows, R>::spread(g, y);
    for (int k = 0; k < kPoints; ++k) hn::StoreU(y[k], d, to + k * pitch);
  }
}

void restore_any(int kernel, const float* from, int pitch, float bias, int width,
                 float* const* targets) {
  if (kernel == 5) return restore<5>(from, pitch, bias, width, targets);
  restore<7>(from, pitch, bias, width, targets);
}

void spread_any(int kernel, const float* const* rows, int count, float* to, int pitch) {
  if (kernel == 5) return spread<5>(rows, count, to, pitch);
  spread<7>(rows, count, to, pitch);
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(transform);
HWY_EXPORT(restore_any);
HWY_EXPORT(spread_any);

void transform_rows(const float* const* rows, int count, float* to, int pitch) {
  HWY_DYNAMIC_DISPATCH(transform)(rows, count, to, pitch);
}

void restore_rows(int kernel, const float* from, int pitch, float bias, int width,
                  float* const* targets) {
  HWY_DYNAMIC_DISPATCH(restore_any)(kernel, from, pitch, bias, width, targets);
}

void spread_rows(int kernel, const float* const* rows, int count, float* to, int pitch) {
  HWY_DYNAMIC_DISPATCH(spread_any)(kernel, rows, count, to, pitch);
}

}  // namespace algprior::kernel
#endif
