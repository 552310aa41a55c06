#pragma once

#include <cstdint>

// The matrix products between Winograd's transforms, one for each point, without torch and without
// threads: small enough that one factor and a block of rows of the other stay in the first-level
// cache, so nothing is packed but the weights.

namespace algprior::kernel {

/// Widths of the products are multiples of this: a vector of the widest instruction set.
constexpr int kProductWidth = 16;

/// Channels are cut into blocks as even as can be: block i of b holds channels C·i/b … C·(i+1)/b
/// − 1.
int channel_blocks(int channels);

/// out[c][t] = Σ_k weight(c, k) · in[k][t]. The weights lie block after block, [k][channel] within.
struct PointProduct {
  const float* in = nullptr;
  std::int64_t in_stride = 0;
  int terms = 0;
  const float* weights = nullptr;
  int channels = 0;
  int width = 0;
  float* out = nullptr;
  std::int64_t out_stride = 0;
};

void multiply_point(const PointProduct& product);

/// sums[c][k] += Σ_t left[c][t] · right[t][k]; `fresh` sums are written, not added to.
struct PointCorrelation {
  const float* left = nullptr;
  std::int64_t left_stride = 0;
  int terms = 0;
  const float* right = nullptr;
  std::int64_t right_stride = 0;
  int channels = 0;
  int width = 0;
  float* sums = nullptr;
  std::int64_t sums_stride = 0;
  bool fresh = false;
};

void correlate_point(const PointCorrelation& correlation);

}  // namespace algprior::kernel
