// What the SIMD files share: the vector, loops that are unrolled, the end of a row. Included once
// for each instruction set, hence no ordinary include guard.

// Tiles are arrays of vectors: they live in registers only when every loop over them is unrolled.
#ifndef ALGPRIOR_UNROLL
#ifdef __clang__
#define ALGPRIOR_UNROLL _Pragma("unroll")
#else
#define ALGPRIOR_UNROLL _Pragma("GCC unroll 16")
#endif
#endif

#if defined(ALGPRIOR_KERNEL_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ALGPRIOR_KERNEL_VECTOR_INL
#undef ALGPRIOR_KERNEL_VECTOR_INL
#else
#define ALGPRIOR_KERNEL_VECTOR_INL
#endif

#include <cstddef>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// The first `count` floats of a vector; none for a count below 1. What lies behind them is not
// touched: it may be another thread's.
HWY_INLINE void store_first(V v, float* HWY_RESTRICT to, int count) {
  const D d;
  if (count >= static_cast<int>(hn::Lanes(d))) return hn::StoreU(v, d, to);
  if (count <= 0) return;
#if HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
#else
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(v, d, rest);
  std::memcpy(to, rest, static_cast<std::size_t>(count) * sizeof(float));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#endif
