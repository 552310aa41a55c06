#pragma once

#include "conv_layout.hpp"

#include <cstdint>
#include <utility>
#include <vector>

// Convolutions with kernels of r = 5 or 7 rows by Winograd's minimal filtering F(m, r), m = 9 − r,
// along the height: m output rows from eight products instead of m·r. With the points 0, ±1, ±2,
// ±½, ∞
//   y = Aᵀ((G w) ⊙ (Bᵀ x)),  x eight input rows, w the r weights of a column, y m rows,
// where ⊙ stands for sums over channels, depth and columns: those are row products as before. The
// result differs from the direct sum by a few roundings more: 1e-6 to 3e-6 of the largest entry.
// Cubes of weights are filtered along the depth likewise: m×m rows from 64 products.

namespace algprior::kernel {

/// Where the rows lie. A plane is one channel at one depth, or where the depth is filtered too, one
/// channel.
struct FilteredRows {
  static constexpr int kSide = 8;  ///< points along an axis
  static constexpr int kMostOut = 4;

  enum class Along { height, height_and_depth };

  /// Forward, from the padded input to the output.
  FilteredRows(const InputLayout& layout, Along along);
  /// Backward, from the padded gradient of the output to a phase of the gradient of the input.
  FilteredRows(const GradientLayout& layout, const GradientLayout::Phase& phase, Along along);

  /// Whether the height is served at all, and the sums are long enough to pay for the transforms.
  static bool serves(const ConvShape& shape);
  /// Whether the depth is to be filtered too, for sums over `terms` channels that give `channels`.
  static Along along(const ConvShape& shape, int terms, int channels, int lanes);

  int kernel = 0;                      ///< r
  bool deep = false;                   ///< along the depth too
  std::vector<std::int64_t> planes;    ///< first row that output row 0 reads, of each input plane
  int rows = 0;                        ///< rows of a plane from there on; others are zero
  int pitch = 0;                       ///< floats from row to row
  int depths = 1;                      ///< where deep: depths of a plane; others are zero
  std::int64_t depth_pitch = 0;        ///< floats from depth to depth
  int span = 0;                        ///< floats of a row that the taps reach
  std::vector<int> offsets;            ///< of each tap (channel, depth unless deep, column) among
                                       ///< transformed rows
  std::vector<int> depth_rows;         ///< of each output depth likewise; a single one where deep
  std::vector<std::int64_t> out_rows;  ///< of each output row (depth, height)
  int out_depths = 0;
  int height = 0;            ///< output rows of one depth
  int width = 0;             ///< floats of an output row
  std::vector<int> weights;  ///< index of the first weight of each tap, for channel 0
  int weight_step = 0;       ///< from there to the next row's
  int weight_depth_step = 0;

  int out() const { return kSide + 1 - kernel; }               ///< m
  int points() const { return deep ? kSide * kSide : kSide; }  ///< of a tile
  std::int64_t transformed_size() const;
  std::int64_t product_size(int channels) const;
  int transformed_pitch() const;
  int product_pitch() const;
};

/// G w for all taps, one set of packed weights after the other (points × packed_weights_size).
/// weight(c, tap, d, k) = source[c·channel_stride + weights[tap] + d·weight_depth_step +
/// k·weight_step].
void pack_filtered_rows(const FilteredRows& plan, const float* source, std::int64_t channel_stride,
                        int channels, float* packed);

/// out[c][row][i] = bias[c] + Σ; `bias` may be null. The scratch buffers hold transformed_size()
/// and product_size(channels) floats and must have been zero at first use.
void multiply_filtered_rows(const FilteredRows& plan, const float* in, const float* packed,
                            const float* bias, int channels, float* transformed, float* products,
                            float* out, std::int64_t out_stride);

/// The gradient of the weights, by the transposed algorithm Gᵀ(Σ (A dy) ⊙ (Bᵀ x)) of a forward
/// plan.
class FilteredCorrelation {
 public:
  /// Whether its plan should filter the depth too. The sums at each point are short then; they must
  /// at least be many, and run over a few tiles.
  static FilteredRows::Along along(const ConvShape& shape, int lanes);

  /// `left` is a layout of the gradient of the output.
  FilteredCorrelation(const FilteredRows& plan, const GradientLayout& left);

  std::int64_t scratch_size() const { return tiles_ * (right_tile_ + left_tile_) + extra_; }
  /// Sums that `add` adds to: points × channels × taps.
  std::int64_t sums() const;

  /// Adds one group of samples. The scratch buffer must have been zero at first use.
  void add(const float* in, const float* dy, float* scratch, double* sums) const;
  /// Gᵀ of the sums: the gradient of every weight of the convolution.
  void finish(const double* sums, float* dweight) const;

 private:
  const FilteredRows& plan_;
  const GradientLayout& left_;
  int channels_;
  std::vector<std::pair<int, int>>
      origins_;  ///< of all tiles: output depth (0 unless deep) and row
  int tiles_;    ///< taken together, so that the sums run over many rows
  std::int64_t right_tile_, left_tile_, extra_;
};

}  // namespace algprior::kernel
