// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "five_rows_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "five_rows_simd.hpp"

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

void restore(const float* from, int pitch, float bias, int width, float* const* targets) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto set = [d](float value) HWY_ATTR { return hn::Set(d, value); };
  const V start = set(bias);
  // The last vector of a row overlaps the one before it; a row shorter than a vector goes through
  // a buffer, and so does a row that nobody wants.
  const bool narrow = width < lanes;
  constexpr int kRows = 4;
  constexpr int kVector = HWY_MAX_BYTES / sizeof(float);
  HWY_ALIGN float rest[kRows * kVector];
  for (int next = 0; next < width; next += lanes) {
    const int i = narrow || next + lanes <= width ? next : width - lanes;
    V m[8];
    for (int k = 0; k < 8; ++k) m[k] = hn::LoadU(d, from + k * pitch + i);
    const V sum1 = hn::Add(m[1], m[2]), difference1 = hn::Sub(m[1], m[2]);
    const V sum2 = hn::Add(m[3], m[4]), difference2 = hn::Sub(m[3], m[4]);
    const V sum3 = hn::Add(m[5], m[6]), difference3 = hn::Sub(m[5], m[6]);
    const V even = hn::Add(sum1, start);
    const V odd = hn::Add(difference1, start);
    const V y[kRows] = {
        hn::Add(hn::Add(even, m[0]), hn::Add(sum2, sum3)),
        hn::MulAdd(set(2.0f), difference2, hn::MulAdd(set(0.5f), difference3, odd)),
        hn::MulAdd(set(4.0f), sum2, hn::MulAdd(set(0.25f), sum3, even)),
        hn::MulAdd(set(8.0f), difference2,
                   hn::MulAdd(set(0.125f), difference3, hn::Add(odd, m[7]))),
    };
    for (int k = 0; k < kRows; ++k)
      hn::StoreU(y[k], d, narrow || targets[k] == nullptr ? rest + k * kVector : targets[k] + i);
  }
  if (!narrow) return;
  for (int k = 0; k < kRows; ++k)
    if (targets[k] != nullptr) std::copy_n(rest + k * kVector, width, targets[k]);
}

void spread(const float* const* rows, int count, float* to, int pitch) {
  constexpr int kRows = 4, kPoints = 8;
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < count; i += lanes, to += lanes) {
    V g[kRows], y[kPoints];
    for (int k = 0; k < kRows; ++k) g[k] = hn::LoadU(d, rows[k] + i);
    Axis<4, 5>::spread(g, y);
    for (int k = 0; k < kPoints; ++k) hn::StoreU(y[k], d, to + k * pitch);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(transform);
HWY_EXPORT(restore);
HWY_EXPORT(spread);

void transform_rows(const float* const* rows, int count, float* to, int pitch) {
  HWY_DYNAMIC_DISPATCH(transform)(rows, count, to, pitch);
}

void restore_rows(const float* from, int pitch, float bias, int width, float* const* targets) {
  HWY_DYNAMIC_DISPATCH(restore)(from, pitch, bias, width, targets);
}

void spread_rows(const float* const* rows, int count, float* to, int pitch) {
  HWY_DYNAMIC_DISPATCH(spread)(rows, count, to, pitch);
}

}  // namespace algprior::kernel
#endif
