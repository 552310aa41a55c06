#pragma once

#include <cstdint>

// Transpositions of small matrices, without torch and without threads.

namespace algprior::kernel {

/// Samples of small images that stand side by side: a vector of the widest instruction set.
constexpr int kInterleave = 16;

/// to[places[i]][n] = from[n][i] for n < rows ≤ kInterleave: `count` columns of a matrix become
/// stretches of kInterleave floats. Missing rows become zeros.
void interleave_samples(const float* from, std::int64_t stride, int rows, int count,
                        const int* places, float* to);
/// to[n][i] = from[places[i]][n], the way back.
void separate_places(const float* from, const int* places, int count, int rows, float* to,
                     std::int64_t stride);
/// The same from stretches that follow each other.
void separate_samples(const float* from, int count, int rows, float* to, std::int64_t stride);

/// to[i][n] = from[n][i] for any sizes; rows `from_stride` and `to_stride` apart.
void transpose(const float* from, std::int64_t from_stride, int rows, int columns, float* to,
               std::int64_t to_stride);

}  // namespace algprior::kernel
