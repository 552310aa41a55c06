// Activations on vectors. Included once for each instruction set, hence no ordinary include guard.
#if defined(ALGPRIOR_KERNEL_ACTIVATION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ALGPRIOR_KERNEL_ACTIVATION_INL
#undef ALGPRIOR_KERNEL_ACTIVATION_INL
#else
#define ALGPRIOR_KERNEL_ACTIVATION_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// e^x for x ≤ 88, relative error below 2e-7: 2^n · e^r with |r| ≤ ½ log 2, e^r by its series.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp(D d, V x) {
  x = hn::Max(x, hn::Set(d, -87.0f));
  const V n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  // log 2 in two pieces: the first has trailing zeros, so n times it is exact.
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  V p = hn::Set(d, 1.0f / 720.0f);
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 120.0f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 24.0f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 6.0f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  const hn::RebindToSigned<D> di;
  const auto exponent = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127)));
  return hn::Mul(p, hn::BitCast(d, exponent));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V sigmoid(D d, V u) {
  const V one = hn::Set(d, 1.0f);
  // e^−|u| does not overflow.
  const V e = kernel::HWY_NAMESPACE::exp(d, hn::Neg(hn::Abs(u)));
  const V small = hn::Div(e, hn::Add(one, e));
  return hn::IfThenElse(hn::Lt(u, hn::Zero(d)), small, hn::Sub(one, small));
}

struct Identity {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D, V u) {
    return u;
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V) {
    return hn::Set(d, 1.0f);
  }
};

struct Relu {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V u) {
    return hn::Max(u, hn::Zero(d));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V u) {
    return hn::IfThenElseZero(hn::Gt(u, hn::Zero(d)), hn::Set(d, 1.0f));
  }
};

struct Elu {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V u) {
    const V zero = hn::Zero(d);
    const V below = hn::Sub(kernel::HWY_NAMESPACE::exp(d, hn::Min(u, zero)), hn::Set(d, 1.0f));
    return hn::Add(hn::Max(u, zero), below);
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V u) {
    return kernel::HWY_NAMESPACE::exp(d, hn::Min(u, hn::Zero(d)));
  }
};

struct Tanh {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V u) {
    const V one = hn::Set(d, 1.0f);
    const V t = kernel::HWY_NAMESPACE::exp(d, hn::Mul(hn::Abs(u), hn::Set(d, -2.0f)));
    return hn::CopySign(hn::Div(hn::Sub(one, t), hn::Add(one, t)), u);
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V u) {
    const V a = value(d, u);
    return hn::NegMulAdd(a, a, hn::Set(d, 1.0f));
  }
};

// u·Φ(u), Φ the normal distribution function by Abramowitz and Stegun 7.1.26: error below 1.5e-7.
struct Gelu {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V distribution(D d, V u, V& bell) {
    const V one = hn::Set(d, 1.0f);
    const V x = hn::Mul(hn::Abs(u), hn::Set(d, 0.70710678f));
    const V t = hn::Div(one, hn::MulAdd(x, hn::Set(d, 0.3275911f), one));
    V p = hn::Set(d, 1.061405429f);
    p = hn::MulAdd(p, t, hn::Set(d, -1.453152027f));
    p = hn::MulAdd(p, t, hn::Set(d, 1.421413741f));
    p = hn::MulAdd(p, t, hn::Set(d, -0.284496736f));
    p = hn::MulAdd(p, t, hn::Set(d, 0.254829592f));
    bell = kernel::HWY_NAMESPACE::exp(d, hn::Neg(hn::Mul(x, x)));
    const V upper = hn::Mul(hn::Mul(hn::Mul(p, t), bell), hn::Set(d, 0.5f));
    return hn::IfThenElse(hn::Lt(u, hn::Zero(d)), upper, hn::Sub(one, upper));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V u) {
    V bell;
    return hn::Mul(u, distribution(d, u, bell));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V u) {
    V bell;
    const V phi = distribution(d, u, bell);
    return hn::MulAdd(hn::Mul(u, bell), hn::Set(d, 0.39894228f), phi);
  }
};

// u·sigmoid(u)
struct Silu {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V u) {
    return hn::Mul(u, sigmoid(d, u));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V u) {
    const V open = sigmoid(d, u);
    return hn::MulAdd(hn::Mul(u, open), hn::Sub(hn::Set(d, 1.0f), open), open);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#endif
