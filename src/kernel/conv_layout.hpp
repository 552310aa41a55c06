#pragma once

#include "algprior/kernel/conv.hpp"

#include <cstdint>
#include <vector>

// Where the numbers of a convolution lie in the scratch buffers, so that each tap of the kernel is
// one offset and each output row is one contiguous stretch, whatever the stride and the padding:
// padding is written out as zeros, the columns of a strided axis are sorted by residue, and narrow
// images are interleaved, the same pixel of `lanes` samples side by side.

namespace algprior::kernel {

/// 1: a row of pixels fills the vectors well. 16: rows are short, so samples are interleaved.
int interleaved_samples(const ConvShape& shape);

/// The padded input: forward pass and gradient of the weights.
struct InputLayout {
  InputLayout(const ConvShape& shape, int lanes);

  ConvShape shape;
  int lanes;
  int residue;                ///< floats from one residue class of columns to the next
  int pitch;                  ///< floats from row to row
  std::int64_t size;          ///< floats of the whole buffer, slack included
  std::vector<int> offsets;   ///< of each tap (channel, depth, height, width)
  std::vector<int> rows;      ///< start of each output row (depth, height)
  std::vector<int> out_rows;  ///< where that row lies in a C×D×H×W×lanes output
  int width;                  ///< length of an output row
  std::vector<int> cells;     ///< where each column (replicated ones included) lies in its row
  std::vector<int> places;    ///< of each pixel of a sample, where samples are interleaved and none
                              ///< is replicated; else empty

  /// Copies `samples` ≤ lanes samples into the buffer, which must have been zero at first use.
  void pack(const float* x, int samples, float* packed) const;
};

/// The gradient of the output, padded so that the gradient of the input is a sum over taps too.
struct GradientLayout {
  GradientLayout(const ConvShape& shape, int lanes);

  /// Input pixels of one residue class modulo the stride: these meet the same taps.
  struct Phase {
    std::vector<int> offsets;   ///< of each tap (channel, depth, height, width)
    std::vector<int> weights;   ///< index of each tap's weight for input channel 0
    std::vector<int> rows;      ///< start of each row of input pixels
    std::vector<int> out_rows;  ///< where that row lies in the result
    int width;
    // By axis: the class, its kernel positions, its first pixel (counted in strides), its pixels.
    std::array<int, 3> residue, taps, first, count;
  };

  ConvShape shape;
  int lanes;
  int pitch;
  int height;          ///< rows of a plane
  int first;           ///< float at which pixel (0, 0, 0) of channel 0 lies
  std::int64_t plane;  ///< floats from channel to channel
  std::int64_t size;
  std::vector<int> rows;  ///< start of each row (depth, height) of the gradient
  std::vector<Phase> phases;

  bool direct;         ///< the result is the input's own layout, no unpack needed
  int result_residue;  ///< floats from one residue class of columns to the next
  int result_pitch;
  std::int64_t result_plane;
  std::vector<int> cells;  ///< where each column lies in a row of the result
  // Where samples are interleaved: the place of each pixel of a sample's gradient, and, unless some
  // are replicated, of each pixel of its result.
  std::vector<int> places, result_places;

  /// Samples of `dy` follow each other.
  void pack(const float* dy, int samples, float* packed) const;
  /// Brings the result into the samples' own layout, folding replicated pixels onto their source.
  void unpack(const float* result, int samples, float* dx) const;
};

}  // namespace algprior::kernel
