// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "adam_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "adam_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void step_at(D d, const AdamNumbers& s, const float* gradient, float* first,
                        float* second, float* parameter) {
  auto p = hn::Mul(hn::LoadU(d, parameter), hn::Set(d, s.keep));
  const auto g = hn::MulAdd(p, hn::Set(d, s.l2), hn::LoadU(d, gradient));
  const auto m =
      hn::MulAdd(g, hn::Set(d, s.rest1), hn::Mul(hn::LoadU(d, first), hn::Set(d, s.beta1)));
  const auto v = hn::MulAdd(hn::Mul(g, g), hn::Set(d, s.rest2),
                            hn::Mul(hn::LoadU(d, second), hn::Set(d, s.beta2)));
  const auto root = hn::MulAdd(hn::Sqrt(v), hn::Set(d, s.second_factor), hn::Set(d, s.epsilon));
  p = hn::NegMulAdd(hn::Set(d, s.step_size), hn::Div(m, root), p);
  hn::StoreU(m, d, first);
  hn::StoreU(v, d, second);
  hn::StoreU(p, d, parameter);
}

void step_all(const AdamNumbers& s, const float* gradient, std::int64_t count, float* first,
              float* second, float* parameter) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    step_at(d, s, gradient + i, first + i, second + i, parameter + i);
  for (; i < count; ++i) step_at(one, s, gradient + i, first + i, second + i, parameter + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(step_all);

void adam_stretch(const AdamNumbers& numbers, const float* gradient, std::int64_t count,
                  float* first, float* second, float* parameter) {
  HWY_DYNAMIC_DISPATCH(step_all)(numbers, gradient, count, first, second, parameter);
}

}  // namespace algprior::kernel
#endif
