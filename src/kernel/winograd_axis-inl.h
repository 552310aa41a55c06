// Winograd's transforms of one axis, on vectors. Included once for each instruction set, hence no
// ordinary include guard.
#if defined(ALGPRIOR_KERNEL_WINOGRAD_AXIS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ALGPRIOR_KERNEL_WINOGRAD_AXIS_INL
#undef ALGPRIOR_KERNEL_WINOGRAD_AXIS_INL
#else
#define ALGPRIOR_KERNEL_WINOGRAD_AXIS_INL
#endif

#include "vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

HWY_INLINE V constant(float value) {
  return hn::Set(D(), value);
}

// One axis of F(M, R). The points are 0, ±¾, ±3⁄2, ∞ for M = 4 and R = 3 (a quarter of the error of
// 0, ±1, ±2, ∞), 0, 1, −1, 2, ∞ for M = 3, 0, ±1, ∞ for M = 2 and R = 3, and 0, ±1, ±2, ±½, ∞ for
// eight of them, R = 5 and R = 7.
template <int M, int R>
struct Axis;

template <>
struct Axis<4, 3> {
  static constexpr float a = 0.75f, b = 1.5f;
  // Bᵀ
  static HWY_INLINE void transform(const V* x, V* y) {
    const V even1 = hn::NegMulAdd(constant(b * b), x[2], x[4]);
    const V odd1 = hn::NegMulAdd(constant(b * b), x[1], x[3]);
    const V even2 = hn::NegMulAdd(constant(a * a), x[2], x[4]);
    const V odd2 = hn::NegMulAdd(constant(a * a), x[1], x[3]);
    const V both = constant(a * a + b * b), product = constant(a * a * b * b);
    y[0] = hn::MulAdd(product, x[0], hn::NegMulAdd(both, x[2], x[4]));
    y[1] = hn::MulAdd(constant(a), odd1, even1);
    y[2] = hn::NegMulAdd(constant(a), odd1, even1);
    y[3] = hn::MulAdd(constant(b), odd2, even2);
    y[4] = hn::NegMulAdd(constant(b), odd2, even2);
    y[5] = hn::MulAdd(product, x[1], hn::NegMulAdd(both, x[3], x[5]));
  }
  // Aᵀ
  static HWY_INLINE void restore(const V* p, V* y) {
    const V sum1 = hn::Add(p[1], p[2]), difference1 = hn::Sub(p[1], p[2]);
    const V sum2 = hn::Add(p[3], p[4]), difference2 = hn::Sub(p[3], p[4]);
    y[0] = hn::Add(hn::Add(p[0], sum1), sum2);
    y[1] = hn::MulAdd(constant(b), difference2, hn::Mul(constant(a), difference1));
    y[2] = hn::MulAdd(constant(b * b), sum2, hn::Mul(constant(a * a), sum1));
    y[3] = hn::MulAdd(constant(b * b * b), difference2,
                      hn::MulAdd(constant(a * a * a), difference1, p[5]));
  }
  // A
  static HWY_INLINE void spread(const V* g, V* y) {
    const V even1 = hn::MulAdd(constant(a * a), g[2], g[0]);
    const V odd1 = hn::MulAdd(constant(a * a), g[3], g[1]);
    const V even2 = hn::MulAdd(constant(b * b), g[2], g[0]);
    const V odd2 = hn::MulAdd(constant(b * b), g[3], g[1]);
    y[0] = g[0];
    y[1] = hn::MulAdd(constant(a), odd1, even1);
    y[2] = hn::NegMulAdd(constant(a), odd1, even1);
    y[3] = hn::MulAdd(constant(b), odd2, even2);
    y[4] = hn::NegMulAdd(constant(b), odd2, even2);
    y[5] = g[3];
  }
};

template <>
struct Axis<3, 3> {
  static HWY_INLINE void transform(const V* x, V* y) {
    const V two = constant(2.0f);
    const V outer = hn::Sub(x[3], x[1]);
    const V below = hn::Sub(x[3], x[2]);
    y[0] = hn::MulAdd(two, hn::Sub(x[0], x[2]), outer);
    y[1] = hn::NegMulAdd(two, x[1], below);
    y[2] = hn::MulAdd(two, hn::Sub(x[1], x[2]), below);
    y[3] = outer;
    y[4] = hn::NegMulAdd(two, outer, hn::Sub(x[4], x[2]));
  }
  static HWY_INLINE void restore(const V* p, V* y) {
    const V sum = hn::Add(p[1], p[2]), difference = hn::Sub(p[1], p[2]);
    y[0] = hn::Add(hn::Add(p[0], sum), p[3]);
    y[1] = hn::MulAdd(constant(2.0f), p[3], difference);
    y[2] = hn::MulAdd(constant(4.0f), p[3], hn::Add(sum, p[4]));
  }
  static HWY_INLINE void spread(const V* g, V* y) {
    const V even = hn::Add(g[0], g[2]);
    y[0] = g[0];
    y[1] = hn::Add(even, g[1]);
    y[2] = hn::Sub(even, g[1]);
    y[3] = hn::MulAdd(constant(4.0f), g[2], hn::MulAdd(constant(2.0f), g[1], g[0]));
    y[4] = g[2];
  }
};

template <>
struct Axis<2, 3> {
  static HWY_INLINE void transform(const V* x, V* y) {
    y[0] = hn::Sub(x[0], x[2]);
    y[1] = hn::Add(x[1], x[2]);
    y[2] = hn::Sub(x[2], x[1]);
    y[3] = hn::Sub(x[3], x[1]);
  }
  static HWY_INLINE void restore(const V* p, V* y) {
    y[0] = hn::Add(hn::Add(p[0], p[1]), p[2]);
    y[1] = hn::Add(hn::Sub(p[1], p[2]), p[3]);
  }
  static HWY_INLINE void spread(const V* g, V* y) {
    y[0] = g[0];
    y[1] = hn::Add(g[0], g[1]);
    y[2] = hn::Sub(g[0], g[1]);
    y[3] = g[1];
  }
};

template <>
struct Axis<4, 5> {
  static HWY_INLINE void transform(const V* x, V* y) {
    const V zero = hn::Sub(x[6], x[0]), infinity = hn::Sub(x[7], x[1]);
    y[0] = hn::MulAdd(constant(5.25f), hn::Sub(x[2], x[4]), zero);
    y[7] = hn::MulAdd(constant(5.25f), hn::Sub(x[3], x[5]), infinity);
    const V even1 = hn::NegMulAdd(constant(4.25f), x[4], hn::Add(x[2], x[6]));
    const V odd1 = hn::NegMulAdd(constant(4.25f), x[3], hn::Add(x[1], x[5]));
    y[1] = hn::Add(even1, odd1);
    y[2] = hn::Sub(even1, odd1);
    const V even2 = hn::MulAdd(constant(0.25f), x[2], hn::NegMulAdd(constant(1.25f), x[4], x[6]));
    const V inner = hn::Mul(constant(2.5f), x[3]);
    const V odd2 = hn::MulAdd(constant(0.5f), x[1], hn::MulSub(constant(2.0f), x[5], inner));
    y[3] = hn::Add(even2, odd2);
    y[4] = hn::Sub(even2, odd2);
    const V even3 = hn::MulAdd(constant(4.0f), x[2], hn::NegMulAdd(constant(5.0f), x[4], x[6]));
    const V odd3 = hn::MulAdd(constant(2.0f), x[1], hn::MulSub(constant(0.5f), x[5], inner));
    y[5] = hn::Add(even3, odd3);
    y[6] = hn::Sub(even3, odd3);
  }
  static HWY_INLINE void restore(const V* p, V* y) {
    const V sum1 = hn::Add(p[1], p[2]), difference1 = hn::Sub(p[1], p[2]);
    const V sum2 = hn::Add(p[3], p[4]), difference2 = hn::Sub(p[3], p[4]);
    const V sum3 = hn::Add(p[5], p[6]), difference3 = hn::Sub(p[5], p[6]);
    y[0] = hn::Add(hn::Add(p[0], sum1), hn::Add(sum2, sum3));
    y[1] = hn::MulAdd(constant(2.0f), difference2,
                      hn::MulAdd(constant(0.5f), difference3, difference1));
    y[2] = hn::MulAdd(constant(4.0f), sum2, hn::MulAdd(constant(0.25f), sum3, sum1));
    y[3] = hn::MulAdd(constant(8.0f), difference2,
                      hn::MulAdd(constant(0.125f), difference3, hn::Add(difference1, p[7])));
  }
  static HWY_INLINE void spread(const V* g, V* y) {
    y[0] = g[0];
    y[7] = g[3];
    const V even1 = hn::Add(g[0], g[2]), odd1 = hn::Add(g[1], g[3]);
    y[1] = hn::Add(even1, odd1);
    y[2] = hn::Sub(even1, odd1);
    const V even2 = hn::MulAdd(constant(4.0f), g[2], g[0]);
    const V odd2 = hn::MulAdd(constant(2.0f), g[1], hn::Mul(constant(8.0f), g[3]));
    y[3] = hn::Add(even2, odd2);
    y[4] = hn::Sub(even2, odd2);
    const V even3 = hn::MulAdd(constant(0.25f), g[2], g[0]);
    const V odd3 = hn::MulAdd(constant(0.5f), g[1], hn::Mul(constant(0.125f), g[3]));
    y[5] = hn::Add(even3, odd3);
    y[6] = hn::Sub(even3, odd3);
  }
};

template <>
struct Axis<2, 7> {
  static HWY_INLINE void transform(const V* x, V* y) { Axis<4, 5>::transform(x, y); }
  static HWY_INLINE void restore(const V* p, V* y) {
    const V sum1 = hn::Add(p[1], p[2]), difference1 = hn::Sub(p[1], p[2]);
    const V sum2 = hn::Add(p[3], p[4]), difference2 = hn::Sub(p[3], p[4]);
    const V sum3 = hn::Add(p[5], p[6]), difference3 = hn::Sub(p[5], p[6]);
    y[0] = hn::Add(hn::Add(p[0], sum1), hn::Add(sum2, sum3));
    y[1] = hn::MulAdd(constant(2.0f), difference2,
                      hn::MulAdd(constant(0.5f), difference3, hn::Add(difference1, p[7])));
  }
  static HWY_INLINE void spread(const V* g, V* y) {
    y[0] = g[0];
    y[7] = g[1];
    y[1] = hn::Add(g[0], g[1]);
    y[2] = hn::Sub(g[0], g[1]);
    y[3] = hn::MulAdd(constant(2.0f), g[1], g[0]);
    y[4] = hn::NegMulAdd(constant(2.0f), g[1], g[0]);
    y[5] = hn::MulAdd(constant(0.5f), g[1], g[0]);
    y[6] = hn::NegMulAdd(constant(0.5f), g[1], g[0]);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#endif
