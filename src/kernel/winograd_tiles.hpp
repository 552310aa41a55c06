#pragma once

#include "winograd_simd.hpp"

#include <cstdint>
#include <vector>

// How the images of a convolution are cut into tiles, and how tiles are read from images and
// written back. Wide images are read row by row, the tiles of a row being the lanes. Of small
// images the same pixel of kInterleave samples stands side by side, and samples are the lanes.

namespace algprior::kernel {

/// The cut of an output of height × width pixels into tiles of `tile` × `tile`.
struct TilePlan {
  /// For kernels of `kernel` × `kernel`; `channels` is the larger number of channels of the two
  /// sides.
  TilePlan(std::int64_t batch, int height, int width, int channels, int kernel);

  int tile;
  int kernel;
  bool interleaved;
  int height, width;
  int down, across;  ///< tiles along the axes
  int unit;          ///< samples that are cut together
  int widest;        ///< tiles of a block at most, unless a row of tiles has more

  Filtering filtering() const { return {tile, kernel}; }
  int points() const { return filtering().points(); }
};

/// Tiles of one sample in `rows` whole rows of tiles (or pieces of one row, where it is longer than
/// a block), or tiles of one group of interleaved samples: each tile is a row of kInterleave lanes.
struct TileRun {
  int image;  ///< sample or group of the unit
  int row;    ///< first row of tiles, or first tile
  int rows;
  int first;  ///< first tile of the row
  int count;  ///< lanes of a row
  int lane;   ///< first lane in the block
};

/// Tiles that are transformed, multiplied and written together, so that all of it stays in the
/// second-level cache.
struct TileBlock {
  std::vector<TileRun> runs;
  int lanes = 0;  ///< a multiple of kProductWidth
  int tiles = 0;  ///< lanes in use
  int pitch = 0;  ///< lanes that the transforms may write
};

std::vector<TileBlock> cut_unit(const TilePlan& plan, int samples);

/// Reads tiles from planes of height × width pixels with `padding` zeros around.
class TileReader {
 public:
  enum class Transform { input, gradient };
  TileReader(const TilePlan& plan, Transform transform, int channels, int height, int width,
             int padding);

  std::int64_t scratch_size() const;
  /// To be called for each unit first: `images` are samples × channels × height × width. The
  /// scratch buffer must have been zero at first use and belongs to this reader.
  void start(const float* images, int samples, float* scratch);
  /// Writes every point of every channel: points[point·point_stride + channel·block.pitch + lane].
  void read(const TileBlock& block, float* points, std::int64_t point_stride);

 private:
  void read_wide(const TileRun& run, int pitch, float* points, std::int64_t point_stride);
  void read_interleaved(const TileRun& run, int pitch, float* points, std::int64_t point_stride);
  void apply(const TileGrid& grid, const float* from, float* points,
             std::int64_t point_stride) const;

  TilePlan plan_;
  Transform transform_;
  int channels_, height_, width_, padding_;
  int buffer_height_, buffer_width_;  ///< of an interleaved plane with its zeros
  std::vector<int> places_;           ///< of each pixel of a sample among interleaved ones
  std::vector<int> starts_;
  const float* images_ = nullptr;
  float* scratch_ = nullptr;
};

/// Writes tiles of the result into samples × channels × plan.height × plan.width.
class TileWriter {
 public:
  TileWriter(const TilePlan& plan, int channels);

  std::int64_t scratch_size() const;
  /// `bias` may be null.
  void write(const TileBlock& block, const float* points, std::int64_t point_stride,
             const float* bias, float* images, float* scratch);
  /// To be called for each unit last.
  void finish(int samples, float* images, const float* scratch) const;

 private:
  TilePlan plan_;
  int channels_;
  std::vector<int> starts_, lines_, columns_;
};

}  // namespace algprior::kernel
