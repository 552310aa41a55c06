#pragma once

#include <cstdint>

// The two inner loops of every convolution here, without torch and without threads. A convolution
// is brought into rows first (conv_layout.hpp): an output row is a sum over taps, each tap being a
// weight times a row of the input that starts at the tap's offset.

namespace algprior::kernel {

/// Floats that a row may be read past its end: a vector of the widest instruction set.
constexpr int kSlack = 16;

/// out[c][row][i] = bias[c] + Σ_tap weight[c][tap] · in[in_rows[row] + offsets[tap] + i]
/// Where groups of rows have weights of their own, they follow each other `weight_step` floats
/// apart.
struct RowProduct {
  const float* in = nullptr;
  const int* offsets = nullptr;  ///< one a tap
  int taps = 0;
  const float* weights = nullptr;  ///< as pack_weights leaves them
  const float* bias = nullptr;     ///< one a channel, or null
  int channels = 0;
  int rows = 0;
  int group_rows = 0;  ///< rows that share their weights, a divisor of `rows`; 0: all of them
  std::int64_t weight_step = 0;
  const int* in_rows = nullptr;
  const int* out_rows = nullptr;
  int width = 0;  ///< length of a row in floats
  float* out = nullptr;
  std::int64_t out_stride = 0;  ///< from channel to channel
};

void multiply_rows(const RowProduct& product);

/// Number of floats that pack_weights writes.
std::int64_t packed_weights_size(int channels, int taps);

/// Brings weight(c, tap) = source[c·channel_stride + taps[tap]] into multiply_rows' order.
void pack_weights(const float* source, std::int64_t channel_stride, const int* taps, int count,
                  int channels, float* packed);

/// sums[c][tap] += Σ_row Σ_i left[left_rows[row] + c·left_stride + i] · right[right_rows[row] +
/// offsets[tap] + i]: float sums within one call's stretch of rows, added up in double.
/// Reads up to kSlack − 1 floats past a row: those of `left` must be zero, those of `right` finite.
struct RowCorrelation {
  const float* left = nullptr;
  std::int64_t left_stride = 0;
  const int* left_rows = nullptr;
  const float* right = nullptr;
  const int* right_rows = nullptr;
  const int* offsets = nullptr;
  int taps = 0;
  int channels = 0;
  int rows = 0;
  int width = 0;
  double* sums = nullptr;  ///< channels × taps
};

void correlate_rows(const RowCorrelation& correlation);

}  // namespace algprior::kernel
