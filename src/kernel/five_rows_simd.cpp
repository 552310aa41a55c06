// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "five_rows_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "five_rows_simd.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

void transform(const float* const* rows, int count, float* to, int pitch) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto set = [d](float value) HWY_ATTR { return hn::Set(d, value); };
  for (int i = 0; i < count; i += lanes, to += lanes) {
    const V x1 = hn::LoadU(d, rows[1] + i);
    const V x2 = hn::LoadU(d, rows[2] + i);
    const V x3 = hn::LoadU(d, rows[3] + i);
    const V x4 = hn::LoadU(d, rows[4] + i);
    const V x5 = hn::LoadU(d, rows[5] + i);
    const V x6 = hn::LoadU(d, rows[6] + i);
    const V zero = hn::Sub(x6, hn::LoadU(d, rows[0] + i));
    const V infinity = hn::Sub(hn::LoadU(d, rows[7] + i), x1);
    hn::StoreU(hn::MulAdd(set(5.25f), hn::Sub(x2, x4), zero), d, to);
    hn::StoreU(hn::MulAdd(set(5.25f), hn::Sub(x3, x5), infinity), d, to + 7 * pitch);
    const V even1 = hn::NegMulAdd(set(4.25f), x4, hn::Add(x2, x6));
    const V odd1 = hn::NegMulAdd(set(4.25f), x3, hn::Add(x1, x5));
    hn::StoreU(hn::Add(even1, odd1), d, to + pitch);
    hn::StoreU(hn::Sub(even1, odd1), d, to + 2 * pitch);
    const V even2 = hn::MulAdd(set(0.25f), x2, hn::NegMulAdd(set(1.25f), x4, x6));
    const V inner = hn::Mul(set(2.5f), x3);
    const V odd2 = hn::MulAdd(set(0.5f), x1, hn::MulSub(set(2.0f), x5, inner));
    hn::StoreU(hn::Add(even2, odd2), d, to + 3 * pitch);
    hn::StoreU(hn::Sub(even2, odd2), d, to + 4 * pitch);
    const V even3 = hn::MulAdd(set(4.0f), x2, hn::NegMulAdd(set(5.0f), x4, x6));
    const V odd3 = hn::MulAdd(set(2.0f), x1, hn::MulSub(set(0.5f), x5, inner));
    hn::StoreU(hn::Add(even3, odd3), d, to + 5 * pitch);
    hn::StoreU(hn::Sub(even3, odd3), d, to + 6 * pitch);
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
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto set = [d](float value) HWY_ATTR { return hn::Set(d, value); };
  for (int i = 0; i < count; i += lanes, to += lanes) {
    const V y0 = hn::LoadU(d, rows[0] + i);
    const V y1 = hn::LoadU(d, rows[1] + i);
    const V y2 = hn::LoadU(d, rows[2] + i);
    const V y3 = hn::LoadU(d, rows[3] + i);
    hn::StoreU(y0, d, to);
    hn::StoreU(y3, d, to + 7 * pitch);
    const V even1 = hn::Add(y0, y2);
    const V odd1 = hn::Add(y1, y3);
    hn::StoreU(hn::Add(even1, odd1), d, to + pitch);
    hn::StoreU(hn::Sub(even1, odd1), d, to + 2 * pitch);
    const V even2 = hn::MulAdd(set(4.0f), y2, y0);
    const V odd2 = hn::MulAdd(set(2.0f), y1, hn::Mul(set(8.0f), y3));
    hn::StoreU(hn::Add(even2, odd2), d, to + 3 * pitch);
    hn::StoreU(hn::Sub(even2, odd2), d, to + 4 * pitch);
    const V even3 = hn::MulAdd(set(0.25f), y2, y0);
    const V odd3 = hn::MulAdd(set(0.5f), y1, hn::Mul(set(0.125f), y3));
    hn::StoreU(hn::Add(even3, odd3), d, to + 5 * pitch);
    hn::StoreU(hn::Sub(even3, odd3), d, to + 6 * pitch);
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
