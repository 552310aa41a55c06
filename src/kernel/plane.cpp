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

// A vector of a plane: `at` floats from its start, of which the first `done` were visited before.
// A plane of at least one vector ends with a vector that overlaps the one before it; a smaller one
// is read and written through a mask, or a buffer where masked lanes could fault.
struct Place {
  std::int64_t at;
  std::int64_t done;
  std::int64_t count;  // floats of the plane, if it is smaller than a vector, else 0
};

HWY_INLINE V load(const float* x, const Place& place) {
  if (HWY_LIKELY(place.count == 0)) return hn::LoadU(D(), x + place.at);
#if !HWY_MEM_OPS_MIGHT_FAULT
  return hn::MaskedLoad(hn::FirstN(D(), static_cast<std::size_t>(place.count)), D(), x);
#else
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
  for (std::int64_t i = 0; i < place.count; ++i) rest[i] = x[i];
  return hn::Load(D(), rest);
#endif
}

HWY_INLINE void store(V v, float* x, const Place& place) {
  if (HWY_LIKELY(place.count == 0)) return hn::StoreU(v, D(), x + place.at);
#if !HWY_MEM_OPS_MIGHT_FAULT
  hn::BlendedStore(v, hn::FirstN(D(), static_cast<std::size_t>(place.count)), D(), x);
#else
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
  hn::Store(v, D(), rest);
  for (std::int64_t i = 0; i < place.count; ++i) x[i] = rest[i];
#endif
}

// Zero in the lanes that another vector has counted, or that lie outside the plane.
HWY_INLINE V fresh(V v, const Place& place) {
  const D d;
  if (HWY_LIKELY(place.done == 0 && place.count == 0)) return v;
  if (place.count > 0)
    return hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(place.count)), v);
  return hn::IfThenZeroElse(hn::FirstN(d, static_cast<std::size_t>(place.done)), v);
}

template <class Body>
HWY_INLINE void each_vector(std::int64_t first, std::int64_t last, const Body& body) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
  if (last - first < lanes && first == 0) return body(Place{0, 0, last});
  std::int64_t i = first;
  for (; i + lanes <= last; i += lanes) body(Place{i, 0, 0});
  if (i < last) body(Place{last - lanes, lanes - (last - i), 0});
}

HWY_INLINE double lanes_sum(V v) {
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(D(), v)));
}

// Float sums run over at most this many floats, then go on in double.
constexpr std::int64_t kStretch = 2048;

template <class Term>
HWY_INLINE double sum_terms(std::int64_t count, const Term& term) {
  double total = 0.0;
  for (std::int64_t first = 0; first < count; first += kStretch) {
    // Two chains of additions, so that one need not wait for the other.
    V sum = hn::Zero(D());
    V other = hn::Zero(D());
    each_vector(first, std::min(count, first + kStretch), [&](const Place& place) HWY_ATTR {
      const V next = hn::Add(sum, fresh(term(place), place));
      sum = other;
      other = next;
    });
    total += lanes_sum(hn::Add(sum, other));
  }
  return total;
}

double sum(const float* x, std::int64_t count) {
  return sum_terms(count, [x](const Place& place) HWY_ATTR { return load(x, place); });
}

Moments moments(const float* x, std::int64_t count) {
  Moments result;
  result.mean = sum(x, count) / static_cast<double>(count);
  const V mean = hn::Set(D(), static_cast<float>(result.mean));
  result.squares = sum_terms(count, [x, mean](const Place& place) HWY_ATTR {
    const V deviation = hn::Sub(load(x, place), mean);
    return hn::Mul(deviation, deviation);
  });
  // The float mean is off by a rounding; the squares about the true mean are smaller by n·error².
  const double error = result.mean - static_cast<double>(static_cast<float>(result.mean));
  result.squares = std::max(0.0, result.squares - static_cast<double>(count) * error * error);
  return result;
}

template <class F>
void activate_as(const float* y, std::int64_t count, float scale, float shift, float* out) {
  const D d;
  const V a = hn::Set(d, scale);
  const V b = hn::Set(d, shift);
  each_vector(0, count, [=](const Place& place) HWY_ATTR {
    store(F::value(D(), hn::MulAdd(load(y, place), a, b)), out, place);
  });
}

template <class F>
PlaneSums sums_as(const float* y, const float* da, std::int64_t count, float scale, float shift,
                  float mean) {
  const D d;
  const V a = hn::Set(d, scale);
  const V b = hn::Set(d, shift);
  const V m = hn::Set(d, mean);
  PlaneSums result;
  for (std::int64_t first = 0; first < count; first += kStretch) {
    const std::int64_t last = std::min(count, first + kStretch);
    V gradient = hn::Zero(d);
    V product = hn::Zero(d);
    each_vector(first, last, [&](const Place& place) HWY_ATTR {
      const V x = load(y, place);
      const V derivative = F::derivative(d, hn::MulAdd(x, a, b));
      const V du = fresh(hn::Mul(load(da, place), derivative), place);
      gradient = hn::Add(gradient, du);
      product = hn::MulAdd(du, hn::Sub(x, m), product);
    });
    result.gradient += lanes_sum(gradient);
    result.product += lanes_sum(product);
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
  each_vector(0, count, [=](const Place& place) HWY_ATTR {
    const V x = load(y, place);
    const V du = hn::Mul(load(da, place), F::derivative(D(), hn::MulAdd(x, scale, shift)));
    store(hn::MulAdd(a, du, hn::MulAdd(b, x, c)), dy, place);
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

void silu(const float* y, std::int64_t count, float scale, float shift, float* out) {
  activate_as<Silu>(y, count, scale, shift, out);
}

PlaneSums sums_of_silu(const float* y, const float* da, std::int64_t count, float scale,
                       float shift, float mean) {
  return sums_as<Silu>(y, da, count, scale, shift, mean);
}

void gradient_of_silu(const float* y, const float* da, std::int64_t count, const PlaneGradient& g,
                      float* dy) {
  gradient_as<Silu>(y, da, count, g, dy);
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
HWY_EXPORT(silu);
HWY_EXPORT(sums_of_silu);
HWY_EXPORT(gradient_of_silu);

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

void silu_plane(const float* y, std::int64_t count, float scale, float shift, float* out) {
  HWY_DYNAMIC_DISPATCH(silu)(y, count, scale, shift, out);
}

PlaneSums silu_sums(const float* y, const float* da, std::int64_t count, float scale, float shift,
                    float mean) {
  return HWY_DYNAMIC_DISPATCH(sums_of_silu)(y, da, count, scale, shift, mean);
}

void silu_gradient(const float* y, const float* da, std::int64_t count, const PlaneGradient& g,
                   float* dy) {
  HWY_DYNAMIC_DISPATCH(gradient_of_silu)(y, da, count, g, dy);
}

}  // namespace algprior::kernel
#endif
