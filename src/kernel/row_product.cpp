// foreach_target includes this file once for each instruction set, before anything of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "row_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "row_product.hpp"

#include "algprior/kernel/detail/peak.hpp"
#include "vector-inl.h"

#include <algorithm>
#include <chrono>

HWY_BEFORE_NAMESPACE();
namespace algprior::kernel {
namespace HWY_NAMESPACE {

// A tile of B channels × W vectors lives in registers beside W inputs and one weight.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kRegisters = 32;
#else
constexpr int kRegisters = 16;
#endif

constexpr int tile_width(int block) {
  int width = 1;
  while (width < 4 && block * (width + 1) + width + 2 <= kRegisters) ++width;
  return width;
}

constexpr int kBlocks[] = {12, 8, 6, 4, 3, 2, 1};

// The block that pads the fewest channels; the larger one of equals.
int channel_block(int channels) {
  int best = 1;
  int best_padded = 1 << 30;
  for (const int block : kBlocks) {
    if (tile_width(block) < 2 || block > 2 * channels) continue;
    const int padded = (channels + block - 1) / block * block;
    // A small block reloads the inputs more often: it must save an eighth of the work.
    if (best_padded == 1 << 30 || padded * 8 < best_padded * 7) {
      best = block;
      best_padded = padded;
    }
  }
  return best;
}

template <int B, int W>
HWY_INLINE void multiply_tile(const RowProduct& p, const float* HWY_RESTRICT in,
                              const float* HWY_RESTRICT weights, int channel, float* out,
                              int valid) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  V sum[B][W];
  if (p.bias == nullptr) {
    ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
      ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) sum[b][w] = hn::Zero(d);
    }
  } else {
    ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
      const V start = hn::Set(d, channel + b < p.channels ? p.bias[channel + b] : 0.0f);
      ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) sum[b][w] = start;
    }
  }
  const int* HWY_RESTRICT offsets = p.offsets;
  for (int tap = 0; tap < p.taps; ++tap) {
    const float* HWY_RESTRICT at = in + offsets[tap];
    V x[W];
    ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) x[w] = hn::LoadU(d, at + w * lanes);
    ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
      const V weight = hn::Set(d, weights[b]);
      ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) {
        sum[b][w] = hn::MulAdd(weight, x[w], sum[b][w]);
      }
    }
    weights += B;
  }
  if (channel + B <= p.channels && valid >= W * lanes) {
    ALGPRIOR_UNROLL for (int b = 0; b < B; ++b, out += p.out_stride) {
      ALGPRIOR_UNROLL for (int w = 0; w < W; ++w) hn::StoreU(sum[b][w], d, out + w * lanes);
    }
    return;
  }
  ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
    if (channel + b >= p.channels) break;
    float* HWY_RESTRICT to = out + b * p.out_stride;
    ALGPRIOR_UNROLL for (int w = 0; w < W; ++w)
        store_first(sum[b][w], to + w * lanes, valid - w * lanes);
  }
}

template <int B, int W>
HWY_INLINE void multiply_rest(const RowProduct& p, int vectors, const float* in,
                              const float* weights, int channel, float* out, int valid) {
  if constexpr (W > 0) {
    if (vectors == W) return multiply_tile<B, W>(p, in, weights, channel, out, valid);
    multiply_rest<B, W - 1>(p, vectors, in, weights, channel, out, valid);
  }
}

template <int B>
HWY_NOINLINE void multiply_block(const RowProduct& p, const float* weights, int channel,
                                 int first_row, int last_row) {
  constexpr int W = tile_width(B);
  const int lanes = static_cast<int>(hn::Lanes(D()));
  weights += std::int64_t{channel} * p.taps;
  for (int row = first_row; row < last_row; ++row) {
    const float* in = p.in + p.in_rows[row];
    float* out = p.out + p.out_rows[row] + channel * p.out_stride;
    int i = 0;
    for (; i + (W - 1) * lanes < p.width; i += W * lanes)
      multiply_tile<B, W>(p, in + i, weights, channel, out + i, p.width - i);
    if (i < p.width)
      multiply_rest<B, W - 1>(p, (p.width - i + lanes - 1) / lanes, in + i, weights, channel,
                              out + i, p.width - i);
  }
}

template <int B>
void multiply_all(const RowProduct& p) {
  // Weights that fit the first-level cache stay there while the rows pass; else the rows stay.
  constexpr std::int64_t kResidentWeights = 4096;
  const bool rows_outside = std::int64_t{p.channels} * p.taps <= kResidentWeights;
  const int group = p.group_rows > 0 ? p.group_rows : p.rows;
  const int step = rows_outside ? 1 : group;
  for (int row = 0; row < p.rows; row += step) {
    const float* weights = p.weights + row / group * p.weight_step;
    for (int channel = 0; channel < p.channels; channel += B)
      multiply_block<B>(p, weights, channel, row, row + step);
  }
}

void multiply(const RowProduct& p) {
  switch (channel_block(p.channels)) {
    case 1:
      return multiply_all<1>(p);
    case 2:
      return multiply_all<2>(p);
    case 3:
      return multiply_all<3>(p);
    case 4:
      return multiply_all<4>(p);
    case 6:
      return multiply_all<6>(p);
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
    case 8:
      return multiply_all<8>(p);
    case 12:
      return multiply_all<12>(p);
#endif
    default:
      return;
  }
}

std::int64_t packed_size(int channels, int taps) {
  const int block = channel_block(channels);
  return std::int64_t{(channels + block - 1) / block * block} * taps;
}

void pack(const float* source, std::int64_t stride, const int* taps, int count, int channels,
          float* packed) {
  const int block = channel_block(channels);
  for (int first = 0; first < channels; first += block)
    for (int tap = 0; tap < count; ++tap)
      for (int channel = first; channel < first + block; ++channel)
        *packed++ = channel < channels ? source[channel * stride + taps[tap]] : 0.0f;
}

// --- correlation -------------------------------------------------------------------------------

// The sums of the lanes of four vectors.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void sum_four(V a, V b, V c, V d, float* to) {
  to[0] = hn::GetLane(a);
  to[1] = hn::GetLane(b);
  to[2] = hn::GetLane(c);
  to[3] = hn::GetLane(d);
}
#else
template <class Tag>
HWY_INLINE void store_block_sum(Tag d, hn::Vec<Tag> v, float* to) {
  if constexpr (hn::MaxLanes(Tag()) <= 4) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<Tag> half;
    store_block_sum(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), to);
  }
}

HWY_INLINE void sum_four(V a, V b, V c, V d, float* to) {
  const D tag;
  const hn::Repartition<double, D> pairs;  // of floats
  const auto ab =
      hn::BitCast(pairs, hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b)));
  const auto cd =
      hn::BitCast(pairs, hn::Add(hn::InterleaveLower(tag, c, d), hn::InterleaveUpper(tag, c, d)));
  store_block_sum(tag,
                  hn::Add(hn::BitCast(tag, hn::InterleaveLower(pairs, ab, cd)),
                          hn::BitCast(tag, hn::InterleaveUpper(pairs, ab, cd))),
                  to);
}
#endif

constexpr int tap_tile(int block) {
  int taps = 1;
  while (taps < 8 && (block + 1) * (taps + 1) + 1 <= kRegisters) ++taps;
  return taps;
}

template <int B, int T>
HWY_INLINE void correlate_tile(const RowCorrelation& p, int channel, int tap, int first_row,
                               int last_row) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  V sum[B][T];
  const float* left[B];
  const float* right[T];
  ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
    left[b] = p.left + std::min(channel + b, p.channels - 1) * p.left_stride;
    ALGPRIOR_UNROLL for (int t = 0; t < T; ++t) sum[b][t] = hn::Zero(d);
  }
  ALGPRIOR_UNROLL for (int t = 0; t < T; ++t) {
    right[t] = p.right + p.offsets[std::min(tap + t, p.taps - 1)];
  }
  for (int row = first_row; row < last_row; ++row) {
    const std::int64_t left_row = p.left_rows[row];
    const std::int64_t right_row = p.right_rows[row];
    for (int i = 0; i < p.width; i += lanes) {
      V x[T];
      ALGPRIOR_UNROLL for (int t = 0; t < T; ++t) x[t] = hn::LoadU(d, right[t] + right_row + i);
      ALGPRIOR_UNROLL for (int b = 0; b < B; ++b) {
        const V y = hn::LoadU(d, left[b] + left_row + i);
        ALGPRIOR_UNROLL for (int t = 0; t < T; ++t) sum[b][t] = hn::MulAdd(y, x[t], sum[b][t]);
      }
    }
  }
  constexpr int kSums = B * T;
  float totals[kSums + 3];
  ALGPRIOR_UNROLL for (int i = 0; i < kSums; i += 4) {
    const int j = i + 1 < kSums ? i + 1 : i, k = i + 2 < kSums ? i + 2 : i,
              l = i + 3 < kSums ? i + 3 : i;
    sum_four(sum[i / T][i % T], sum[j / T][j % T], sum[k / T][k % T], sum[l / T][l % T],
             totals + i);
  }
  const int taps = std::min(T, p.taps - tap);
  for (int b = 0; b < std::min(B, p.channels - channel); ++b) {
    double* sums = p.sums + std::int64_t{channel + b} * p.taps + tap;
    for (int t = 0; t < taps; ++t) sums[t] += static_cast<double>(totals[b * T + t]);
  }
}

template <int B>
void correlate_all(const RowCorrelation& p) {
  constexpr int T = tap_tile(B);
  // Rows of `left` that stay in the first-level cache while all taps pass over them.
  constexpr int kResident = 5120;
  const int stretch = std::max(1, kResident / (B * std::max(1, p.width)));
  for (int row = 0; row < p.rows; row += stretch) {
    const int last = std::min(p.rows, row + stretch);
    for (int channel = 0; channel < p.channels; channel += B)
      for (int tap = 0; tap < p.taps; tap += T) correlate_tile<B, T>(p, channel, tap, row, last);
  }
}

void correlate(const RowCorrelation& p) {
  if (p.channels % 4 == 0) return correlate_all<4>(p);
  if (p.channels % 6 == 0) return correlate_all<6>(p);
  if (p.channels % 3 == 0) return correlate_all<3>(p);
  if (p.channels >= 7) return correlate_all<4>(p);
  if (p.channels >= 2) return correlate_all<2>(p);
  correlate_all<1>(p);
}

// --- peak --------------------------------------------------------------------------------------

double peak() {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  constexpr int kSums = 10;
  constexpr int kTurns = 200000;
  V sum[kSums];
  ALGPRIOR_UNROLL for (int i = 0; i < kSums; ++i) sum[i] = hn::Set(d, 0.1f * float(i));
  const V factor = hn::Set(d, 0.999f);
  const V term = hn::Set(d, 0.001f);
  double best = 0.0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
    for (int turn = 0; turn < kTurns; ++turn) {
      ALGPRIOR_UNROLL for (int i = 0; i < kSums; ++i) sum[i] = hn::MulAdd(sum[i], factor, term);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, 2e-9 * lanes * kSums * kTurns / seconds.count());
  }
  V total = sum[0];
  ALGPRIOR_UNROLL for (int i = 1; i < kSums; ++i) total = hn::Add(total, sum[i]);
  // The sum is finite, always: the condition only keeps the loop above alive.
  return hn::GetLane(hn::SumOfLanes(d, total)) < 1e30f ? best : 0.0;
}

}  // namespace HWY_NAMESPACE
}  // namespace algprior::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace algprior::kernel {

HWY_EXPORT(multiply);
HWY_EXPORT(packed_size);
HWY_EXPORT(pack);
HWY_EXPORT(correlate);
HWY_EXPORT(peak);

void multiply_rows(const RowProduct& product) {
  HWY_DYNAMIC_DISPATCH(multiply)(product);
}

std::int64_t packed_weights_size(int channels, int taps) {
  return HWY_DYNAMIC_DISPATCH(packed_size)(channels, taps);
}

void pack_weights(const float* source, std::int64_t channel_stride, const int* taps, int count,
                  int channels, float* packed) {
  HWY_DYNAMIC_DISPATCH(pack)(source, channel_stride, taps, count, channels, packed);
}

void correlate_rows(const RowCorrelation& correlation) {
  HWY_DYNAMIC_DISPATCH(correlate)(correlation);
}

}  // namespace algprior::kernel

double algprior::fma_peak() {
  using namespace algprior::kernel;
  return HWY_DYNAMIC_DISPATCH(peak)();
}
#endif
