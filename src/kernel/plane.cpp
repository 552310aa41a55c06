// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plane.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "activation-inl.h"
// clang-format on

#include "plane.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

V load_rest(const float* x, std::int64_t count) {
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
  for (std::int64_t i = 0; i < count; ++i) rest[i] = x[i];
  return hn::Load(D(), rest);
}

void store_rest(V v, float* x, std::int64_t count) {
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
  hn::Store(v, D(), rest);
  for (std::int64_t i = 0; i < count; ++i) x[i] = rest[i];
}

double lanes_sum(V a, V b) {
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(D(), hn::Add(a, b))));
}

// Float sums run over at most this many floats, then go on in double.
constexpr std::int64_t kStretch = 2048;

template <class Term>
HWY_INLINE double sum_terms(std::int64_t count, const Term& term) {
  const D d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  double total = 0.0;
  for (std::int64_t first = 0; first < count; first += kStretch) {
    const std::int64_t last = std::min(count, first + kStretch);
    V even = hn::Zero(d);
    V odd = hn::Zero(d);
    std::int64_t i = first;
    for (; i + 2 * lanes <= last; i += 2 * lanes) {
      even = hn::Add(even, term(i, lanes));
      odd = hn::Add(odd, term(i + lanes, lanes));
    }
    for (; i < last; i += lanes) even = hn::Add(even, term(i, std::min(lanes, last - i)));
    total += lanes_sum(even, odd);
  }
  return total;
}

HWY_INLINE V load(const float* x, std::int64_t count) {
  const D d;
  return count == static_cast<std::int64_t>(hn::Lanes(d)) ? hn::LoadU(d, x) : load_rest(x, count);
}

HWY_INLINE void store(V v, float* x, std::int64_t count) {
  const D d;
  if (count == static_cast<std::int64_t>(hn::Lanes(d))) return hn::StoreU(v, d, x);
  store_rest(v, x, count);
}

double sum(const float* x, std::int64_t count) {
  return sum_terms(count, [x](std::int64_t i, std::int64_t n) HWY_ATTR { return load(x + i, n); });
}

Moments moments(const float* x, std::int64_t count) {
  const D d;
  Moments result;
  result.mean = sum(x, count) / static_cast<double>(count);
  const V mean = hn::Set(d, static_cast<float>(result.mean));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  result.squares = sum_terms(count, [=](std::int64_t i, std::int64_t n) HWY_ATTR {
    V deviation = hn::Sub(load(x + i, n), mean);
    if (n < lanes)
      deviation = hn::IfThenElseZero(hn::FirstN(D(), static_cast<std::size_t>(n)), deviation);
    return hn::Mul(deviation, deviation);
  });
  // The float mean is off by a rounding; the squares about the true mean are smaller by n·error².
  const double error = result.mean - static_cast<double>(static_cast<float>(result.mean));
  result.squares = std::max(0.0, result.squares - static_cast<double>(count) * error * error);
  return result;
}

template <class Body>
void each_vector(std::int64_t count, const Body& body) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(i, lanes);
  if (i < count) body(i, count - i);
}

template <class F>
void activate_as(const float* y, std::int64_t count, float scale, float shift, float* out) {
  const D d;
  const V a = hn::Set(d, scale);
  const V b = hn::Set(d, shift);
  each_vector(count, [=](std::int64_t i, std::int64_t n) HWY_ATTR {
    store(F::value(D(), hn::MulAdd(load(y + i, n), a, b)), out + i, n);
  });
}

template <class F>
PlaneSums sums_as(const float* y, const float* da, std::int64_t count, float scale, float shift,
                  float mean) {
  const D d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const V a = hn::Set(d, scale);
  const V b = hn::Set(d, shift);
  const V m = hn::Set(d, mean);
  PlaneSums result;
  for (std::int64_t first = 0; first < count; first += kStretch) {
    const std::int64_t last = std::min(count, first + kStretch);
    V gradient = hn::Zero(d);
    V product = hn::Zero(d);
    for (std::int64_t i = first; i < last; i += lanes) {
      const std::int64_t n = std::min(lanes, last - i);
      const V x = load(y + i, n);
      const V du = hn::Mul(load(da + i, n), F::derivative(d, hn::MulAdd(x, a, b)));
      gradient = hn::Add(gradient, du);
      product = hn::MulAdd(du, hn::Sub(x, m), product);
    }
    result.gradient += lanes_sum(gradient, hn::Zero(d));
    result.product += lanes_sum(product, hn::Zero(d));
  }
  return result;
}

template <class F>
void gradient_as(const float* y, const float* da, std::int64_t count, const PlaneGradient& g,
                 float* dy) {
  const D d;
  const V scale = hn::Set(d, g.scale);
  const V shift = hn::Set(d, g.shift);
  const V a = hn::Set(d, g.a);
  const V b = hn::Set(d, g.b);
  const V c = hn::Set(d, g.c);
  each_vector(count, [=](std::int64_t i, std::int64_t n) HWY_ATTR {
    const V x = load(y + i, n);
    const V du = hn::Mul(load(da + i, n), F::derivative(D(), hn::MulAdd(x, scale, shift)));
    store(hn::MulAdd(a, du, hn::MulAdd(b, x, c)), dy + i, n);
  });
}

void activate(Activation f, const float* y, std::int64_t count, float scale, float shift,
              float* out) {
  switch (f) {
    case Activation::identity:
      return activate_as<Identity>(y, count, scale, shift, out);
    case Activation::elu:
      return activate_as<Elu>(y, count, scale, shift, out);
    case Activation::relu:
      return activate_as<Relu>(y, count, scale, shift, out);
    case Activation::tanh:
      return activate_as<Tanh>(y, count, scale, shift, out);
    case Activation::gelu:
      return activate_as<Gelu>(y, count, scale, shift, out);
  }
}

PlaneSums sums(Activation f, const float* y, const float* da, std::int64_t count, float scale,
               float shift, float mean) {
  switch (f) {
    case Activation::identity:
      return sums_as<Identity>(y, da, count, scale, shift, mean);
    case Activation::elu:
      return sums_as<Elu>(y, da, count, scale, shift, mean);
    case Activation::relu:
      return sums_as<Relu>(y, da, count, scale, shift, mean);
    case Activation::tanh:
      return sums_as<Tanh>(y, da, count, scale, shift, mean);
    case Activation::gelu:
      return sums_as<Gelu>(y, da, count, scale, shift, mean);
  }
  return {};
}

void gradient(Activation f, const float* y, const float* da, std::int64_t count,
              const PlaneGradient& g, float* dy) {
  switch (f) {
    case Activation::identity:
      return gradient_as<Identity>(y, da, count, g, dy);
    case Activation::elu:
      return gradient_as<Elu>(y, da, count, g, dy);
    case Activation::relu:
      return gradient_as<Relu>(y, da, count, g, dy);
    case Activation::tanh:
      return gradient_as<Tanh>(y, da, count, g, dy);
    case Activation::gelu:
      return gradient_as<Gelu>(y, da, count, g, dy);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(sum);
HWY_EXPORT(moments);
HWY_EXPORT(activate);
HWY_EXPORT(sums);
HWY_EXPORT(gradient);

double plane_sum(const float* x, std::int64_t count) {
  return HWY_DYNAMIC_DISPATCH(sum)(x, count);
}

Moments plane_moments(const float* x, std::int64_t count) {
  return HWY_DYNAMIC_DISPATCH(moments)(x, count);
}

void activate_plane(Activation activation, const float* y, std::int64_t count, float scale,
                    float shift, float* out) {
  HWY_DYNAMIC_DISPATCH(activate)(activation, y, count, scale, shift, out);
}

PlaneSums activation_sums(Activation activation, const float* y, const float* da,
                          std::int64_t count, float scale, float shift, float mean) {
  return HWY_DYNAMIC_DISPATCH(sums)(activation, y, da, count, scale, shift, mean);
}

void activation_gradient(Activation activation, const float* y, const float* da, std::int64_t count,
                         const PlaneGradient& g, float* dy) {
  HWY_DYNAMIC_DISPATCH(gradient)(activation, y, da, count, g, dy);
}

}  // namespace algprior::kernel
#endif
