// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rotate.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "rotate.hpp"

#include "vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

void rotate(const BorderedPlane& plane, const float* in, float cosine, float sine, float* out) {
  const D d;
  const hn::RebindToSigned<D> di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const float centre_x = 0.5f * static_cast<float>(plane.width - 1);
  const float centre_y = 0.5f * static_cast<float>(plane.height - 1);
  const V low = hn::Set(d, -1.0f);
  const V high_x = hn::Set(d, static_cast<float>(plane.width));
  const V high_y = hn::Set(d, static_cast<float>(plane.height));
  const V c = hn::Set(d, cosine);
  const V s = hn::Set(d, sine);
  const auto pitch = hn::Set(di, plane.pitch);
  for (int i = 0; i < plane.height; ++i) {
    const float v = static_cast<float>(i) - centre_y;
    const V row_x = hn::Set(d, centre_x - sine * v);
    const V row_y = hn::Set(d, centre_y + cosine * v);
    for (int j = 0; j < plane.width; j += lanes) {
      const V column = hn::Iota(d, static_cast<float>(j));
      const V u = hn::Sub(column, hn::Set(d, centre_x));
      // Beyond one pixel outside every corner is zero: clamping there changes nothing.
      const V x = hn::Min(hn::Max(hn::MulAdd(c, u, row_x), low), high_x);
      const V y = hn::Min(hn::Max(hn::MulAdd(s, u, row_y), low), high_y);
      const V x0 = hn::Floor(x);
      const V y0 = hn::Floor(y);
      const V fx = hn::Sub(x, x0);
      const V fy = hn::Sub(y, y0);
      const auto at = hn::Add(hn::Mul(hn::ConvertTo(di, y0), pitch), hn::ConvertTo(di, x0));
      const V a = hn::GatherIndex(d, in, at);
      const V b = hn::GatherIndex(d, in + 1, at);
      const V e = hn::GatherIndex(d, in + plane.pitch, at);
      const V f = hn::GatherIndex(d, in + plane.pitch + 1, at);
      const V top = hn::MulAdd(fx, hn::Sub(b, a), a);
      const V bottom = hn::MulAdd(fx, hn::Sub(f, e), e);
      const V value = hn::MulAdd(fy, hn::Sub(bottom, top), top);
      const auto inside = hn::Lt(column, high_x);
      hn::StoreU(hn::IfThenElseZero(inside, value), d, out + i * plane.pitch + j);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(rotate);

void rotate_plane(const BorderedPlane& plane, const float* in, float cosine, float sine,
                  float* out) {
  HWY_DYNAMIC_DISPATCH(rotate)(plane, in, cosine, sine, out);
}

}  // namespace algprior::kernel
#endif
