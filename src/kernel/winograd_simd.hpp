#pragma once

#include "transpose.hpp"

#include <cstdint>

// The three transforms of Winograd's F(m×m, r×r) on vectors of tiles, without torch and without
// threads: m = 2, 3 or 4 for r = 3 and m = 4 for r = 5. With n = m + r − 1 points along each axis
// and 1D matrices A (n×m), B (n×n),
//   input tile  d (n×n) → Bᵀ d B,   product tile p (n×n) → Aᵀ p A,   gradient tile g (m×m) → A g
//   Aᵀ.
// Lanes are tiles: the same entry of neighbouring tiles lies side by side.

namespace algprior::kernel {

constexpr int kLargestTile = 4;
constexpr int kLargestPatch = kLargestTile + 4;

/// F(m×m, r×r): m×m pixels of the result from n² products a channel.
struct Filtering {
  int tile = kLargestTile;  ///< m
  int kernel = 3;           ///< r

  int side() const { return tile + kernel - 1; }  ///< n
  int points() const { return side() * side(); }
};

/// Where the tiles of one channel lie. Entry (i, j) of tile t of row r is found at
/// starts[r] + i·line + columns[j] + t; the tile's lane is r·count + t.
struct TileGrid {
  Filtering filtering;
  int rows = 0;
  int count = 0;  ///< tiles of a row
  const int* starts = nullptr;
  int line = 0;
  int columns[kLargestPatch] = {};
};

/// Bᵀ d B of all tiles: entry (i, j) goes to points[(i·n + j)·point_stride + lane]. Reads and
/// writes whole vectors: a row's lanes are followed by less than a vector of others.
void transform_tiles(const TileGrid& grid, const float* from, float* points,
                     std::int64_t point_stride);

/// A g Aᵀ of all tiles, likewise.
void spread_tiles(const TileGrid& grid, const float* from, float* points,
                  std::int64_t point_stride);

/// Where Aᵀ p A goes: row r of tiles to starts[r], of which lines[r] × columns[r] pixels exist. In
/// an image the m columns of a tile are neighbours; where samples are interleaved each pixel is a
/// stretch of kInterleave floats, and a row is one tile of kInterleave samples.
struct TileTarget {
  Filtering filtering;
  int rows = 0;
  int count = 0;
  const int* starts = nullptr;
  const int* lines = nullptr;
  const int* columns = nullptr;
  int line = 0;  ///< floats from line to line
  bool interleaved = false;
};

void restore_tiles(const TileTarget& target, const float* points, std::int64_t point_stride,
                   float bias, float* to);

/// to[column % 4][column / 4] = from[column]: the columns of an image row sorted by their place in
/// a tile of four; places are `pitch` floats apart. Nothing is written behind the last column.
void split_columns(const float* from, int count, float* to, int pitch);

}  // namespace algprior::kernel
