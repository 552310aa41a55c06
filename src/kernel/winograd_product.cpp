// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "winograd_product.hpp"

#include "vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

// A tile of kBlock channels × two vectors lives in registers beside two inputs and a weight.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kBlock = 12;
#else
constexpr int kBlock = 6;
#endif

int blocks_of(int channels) {
  return (channels + kBlock - 1) / kBlock;
}

template <int B, int W>
HWY_INLINE void multiply_tile(const PointProduct& p, const float* HWY_RESTRICT in,
                              const float* HWY_RESTRICT weights, float* HWY_RESTRICT out) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  V sum[B][W];
  ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
    ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) sum[b][w] = hn::Zero(d);
  }
  for (int k = 0; k < p.terms; ++k, in += p.in_stride, weights += B) {
    V x[W];
    ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) x[w] = hn::LoadU(d, in + w * lanes);
    ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
      const V weight = hn::Set(d, weights[b]);
      ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) sum[b][w] = hn::MulAdd(weight, x[w], sum[b][w]);
    }
  }
  ALGPRIOR_UNROLL for (int b = 0; b < B; ++b, out += p.out_stride) {
    ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) hn::StoreU(sum[b][w], d, out + w * lanes);
  }
}

template <int B, int W>
HWY_INLINE void correlate_tile(const PointCorrelation& p, const float* HWY_RESTRICT left,
                               const float* HWY_RESTRICT right, float* HWY_RESTRICT sums) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  V sum[B][W];
  ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
    ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) sum[b][w] = hn::Zero(d);
  }
  for (int k = 0; k < p.terms; ++k, right += p.right_stride, ++left) {
    V x[W];
    ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) x[w] = hn::LoadU(d, right + w * lanes);
    ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
      const V y = hn::Set(d, left[b * p.left_stride]);
      ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) sum[b][w] = hn::MulAdd(y, x[w], sum[b][w]);
    }
  }
  ALGPRIOR_UNROLL for (int b = 0; b < B; ++b, sums += p.sums_stride) {
    ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) {
      float* to = sums + w * lanes;
      hn::StoreU(p.fresh ? sum[b][w] : hn::Add(hn::LoadU(d, to), sum[b][w]), d, to);
    }
  }
}

// Both products over a block of B channels: two vectors at a time, then one.
template <int B>
HWY_NOINLINE void multiply_block(const PointProduct& p, int first) {
  const int lanes = static_cast<int>(hn::Lanes(D()));
  const float* weights = p.weights + std::int64_t{first} * p.terms;
  float* out = p.out + first * p.out_stride;
  int t = 0;
  for (; t + 2 * lanes <= p.width; t += 2 * lanes)
    multiply_tile<B, 2>(p, p.in + t, weights, out + t);
  if (t < p.width) multiply_tile<B, 1>(p, p.in + t, weights, out + t);
}

template <int B>
HWY_NOINLINE void correlate_block(const PointCorrelation& p, int first) {
  const int lanes = static_cast<int>(hn::Lanes(D()));
  const float* left = p.left + first * p.left_stride;
  float* sums = p.sums + first * p.sums_stride;
  int k = 0;
  for (; k + 2 * lanes <= p.width; k += 2 * lanes)
    correlate_tile<B, 2>(p, left, p.right + k, sums + k);
  if (k < p.width) correlate_tile<B, 1>(p, left, p.right + k, sums + k);
}

template <int B>
void multiply_sized(const PointProduct& p, int first, int size) {
  if constexpr (B > 0) {
    if (size == B) return multiply_block<B>(p, first);
    multiply_sized<B - 1>(p, first, size);
  }
}

template <int B>
void correlate_sized(const PointCorrelation& p, int first, int size) {
  if constexpr (B > 0) {
    if (size == B) return correlate_block<B>(p, first);
    correlate_sized<B - 1>(p, first, size);
  }
}

void multiply(const PointProduct& p) {
  const int blocks = blocks_of(p.channels);
  for (int i = 0; i < blocks; ++i) {
    const int first = p.channels * i / blocks;
    multiply_sized<kBlock>(p, first, p.channels * (i + 1) / blocks - first);
  }
}

void correlate(const PointCorrelation& p) {
  const int blocks = blocks_of(p.channels);
  for (int i = 0; i < blocks; ++i) {
    const int first = p.channels * i / blocks;
    correlate_sized<kBlock>(p, first, p.channels * (i + 1) / blocks - first);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(blocks_of);
HWY_EXPORT(multiply);
HWY_EXPORT(correlate);

int channel_blocks(int channels) {
  return HWY_DYNAMIC_DISPATCH(blocks_of)(channels);
}

void multiply_point(const PointProduct& product) {
  HWY_DYNAMIC_DISPATCH(multiply)(product);
}

void correlate_point(const PointCorrelation& correlation) {
  HWY_DYNAMIC_DISPATCH(correlate)(correlation);
}

}  // namespace algprior::kernel
#endif
