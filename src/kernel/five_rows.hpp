#pragma once

#include "conv_layout.hpp"

#include <cstdint>
#include <vector>

// Convolutions with kernels of five rows by Winograd's minimal filtering F(4, 5) along the height:
// four output rows from eight products instead of twenty. With the points 0, ±1, ±2, ±½, ∞
//   y = Aᵀ((G w) ⊙ (Bᵀ x)),  x eight input rows, w the five weights of a column, y four rows,
// where ⊙ stands for sums over channels, depth and columns: those are row products as before. The
// result differs from the direct sum by a few roundings more: 1e-6 to 3e-6 of the largest entry.

namespace algprior::kernel {

/// Where the rows lie. A plane is one channel at one depth.
struct FiveRows {
  static constexpr int kPoints = 8;
  static constexpr int kKernel = 5;
  static constexpr int kOut = 4;  ///< output rows of one tile

  /// Forward, from the padded input to the output.
  explicit FiveRows(const InputLayout& layout);
  /// Backward, from the padded gradient of the output to a phase of the gradient of the input.
  FiveRows(const GradientLayout& layout, const GradientLayout::Phase& phase);

  /// Whether the height is served at all, and the sums are long enough to pay for the transforms.
  static bool serves(const ConvShape& shape);

  std::vector<std::int64_t> planes;  ///< first row that output row 0 reads, of each input plane
  int rows = 0;                      ///< rows of a plane from there on; others are zero
  int pitch = 0;                     ///< floats from row to row
  int span = 0;                      ///< floats of a row that the taps reach
  std::vector<int> offsets;     ///< of each tap (channel, depth, column) among transformed rows
  std::vector<int> depth_rows;  ///< of each output depth likewise
  std::vector<std::int64_t> out_rows;  ///< of each output row (depth, height)
  int height = 0;                      ///< output rows of one depth
  int width = 0;                       ///< floats of an output row
  std::vector<int> weights;  ///< index of the first of the five weights of each tap, for channel 0
  int weight_step = 0;       ///< from there to the next of the five

  std::int64_t transformed_size() const;
  std::int64_t product_size(int channels) const;
  int transformed_pitch() const;
  int product_pitch() const;
};

/// G w for all taps, one set of packed weights after the other (kPoints × packed_weights_size).
/// weight(c, tap, k) = source[c·channel_stride + weights[tap] + k·weight_step].
void pack_five_rows(const FiveRows& plan, const float* source, std::int64_t channel_stride,
                    int channels, float* packed);

/// out[c][row][i] = bias[c] + Σ; `bias` may be null. The scratch buffers hold transformed_size()
/// and product_size(channels) floats and must have been zero at first use.
void multiply_five_rows(const FiveRows& plan, const float* in, const float* packed,
                        const float* bias, int channels, float* transformed, float* products,
                        float* out, std::int64_t out_stride);

/// The gradient of the weights, by the transposed algorithm Gᵀ(Σ (A dy) ⊙ (Bᵀ x)) of a forward
/// plan.
class FiveRowsCorrelation {
 public:
  /// `left` is a layout of the gradient of the output.
  FiveRowsCorrelation(const FiveRows& plan, const GradientLayout& left);

  std::int64_t scratch_size() const { return tiles_ * (right_tile_ + left_tile_) + zeros_; }
  /// Sums that `add` adds to: kPoints × channels × taps.
  std::int64_t sums() const;

  /// Adds one group of samples. The scratch buffer must have been zero at first use.
  void add(const float* in, const float* dy, float* scratch, double* sums) const;
  /// Gᵀ of the sums: the gradient of every weight of the convolution.
  void finish(const double* sums, float* dweight) const;

 private:
  const FiveRows& plan_;
  const GradientLayout& left_;
  int channels_;
  int tiles_;  ///< taken together, so that the sums run over many rows
  std::int64_t right_tile_, left_tile_, zeros_;
};

}  // namespace algprior::kernel
