#pragma once

#include "algprior/kernel/conv.hpp"
#include "winograd_tiles.hpp"
#include "winograd_weights.hpp"

#include <vector>

#include <hwy/aligned_allocator.h>

// The two computations of Winograd's algorithm on a unit of samples: a convolution and the gradient
// of its weights. Objects are shared by the threads; each thread has a Scratch.

namespace algprior::kernel {

using AlignedFloats = hwy::AlignedFreeUniquePtr<float[]>;

/// Zeros.
AlignedFloats cleared_floats(std::int64_t count);

/// The blocks of each unit: the last one may have fewer samples.
class UnitCuts {
 public:
  UnitCuts(const TilePlan& plan, std::int64_t batch);

  std::int64_t units() const { return units_; }
  int pitch() const { return pitch_; }  ///< the largest of a block
  const std::vector<TileBlock>& of(std::int64_t unit) const {
    return unit + 1 < units_ ? whole_ : last_;
  }

 private:
  std::int64_t units_;
  std::vector<TileBlock> whole_, last_;
  int pitch_;
};

/// y = conv(x) + bias, for the forward pass and for the gradient of the input.
class UnitProduct {
 public:
  UnitProduct(const TilePlan& plan, const UnitCuts& cuts, const KernelSet& kernels, int in_height,
              int in_width, int padding);

  struct Scratch {
    explicit Scratch(const UnitProduct& product);
    TileReader reader;
    TileWriter writer;
    AlignedFloats read, written, points;
  };

  /// `bias` may be null.
  void run(const std::vector<TileBlock>& blocks, const float* x, int samples, const float* bias,
           float* y, Scratch& scratch) const;

 private:
  TilePlan plan_;
  int channels_, terms_;
  TileReader reader_;
  TileWriter writer_;
  std::int64_t point_size_;
  AlignedFloats packed_;
};

/// The gradient of the weights, as sums at the points.
class UnitCorrelation {
 public:
  UnitCorrelation(const TilePlan& plan, const UnitCuts& cuts, const ConvShape& shape);

  /// Floats of the sums of one part.
  std::int64_t sums() const { return plan_.points() * point_sums(); }

  struct Scratch {
    explicit Scratch(const UnitCorrelation& correlation);
    TileReader input, gradient;
    AlignedFloats read_input, read_gradient, inputs, gradients, panel;
  };

  /// Adds a unit; `fresh` sums are written, not added to.
  void add(const std::vector<TileBlock>& blocks, const float* x, const float* dy, int samples,
           bool fresh, Scratch& scratch, float* sums) const;
  /// Writes the gradient from the sums of all parts.
  void finish(const float* sums, int parts, float* dweight) const;

 private:
  std::int64_t point_sums() const { return std::int64_t{left_} * width_; }

  TilePlan plan_;
  TileReader input_, gradient_;
  std::int64_t input_size_, gradient_size_;  ///< floats of a point
  int pitch_;
  // The factor that fills vectors better runs along them: the right one.
  bool turned_ = false;  ///< left the input, right the gradient
  int left_ = 0, right_ = 0, width_ = 0;
};

}  // namespace algprior::kernel
