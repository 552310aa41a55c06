#include "winograd_tiles.hpp"

#include "winograd_product.hpp"

#include <algorithm>

namespace algprior::kernel {
namespace {

int ceil_div(int value, int by) {
  return (value + by - 1) / by;
}

int up_to(int value, int multiple) {
  return ceil_div(value, multiple) * multiple;
}

// Room before the first place of a row of sorted columns, so that vectors start at cache lines.
constexpr int kMargin = 16;

int place_pitch(int count) {
  return kMargin + up_to(count + 1, kProductWidth);
}

// The tile with the fewest products; the larger one of equals.
int best_tile(int height, int width) {
  int best = kLargestTile;
  std::int64_t fewest = -1;
  for (const int tile : {4, 3, 2}) {
    const std::int64_t products =
        std::int64_t{ceil_div(height, tile)} * ceil_div(width, tile) * (tile + 2) * (tile + 2);
    if (fewest >= 0 && products >= fewest) continue;
    best = tile;
    fewest = products;
  }
  return best;
}

}  // namespace

TilePlan::TilePlan(std::int64_t batch, int height_, int width_, int channels, int kernel_)
    : kernel(kernel_), height(height_), width(width_) {
  constexpr int kSmall = 12;       // pixels of a row: smaller tiles are worth a thought
  constexpr int kFewTiles = 7;     // in a row that would leave more than half of the vectors empty
  constexpr int kFewSamples = 8;   // that would leave half of the interleaved lanes empty
  constexpr int kUnitTiles = 128;  // enough to fill blocks well
  constexpr int kUnits = 8;        // enough for threads to share
  constexpr std::int64_t kResident = 160 * 1024;  // floats of a block at all points
  tile = kernel == 3 && width <= kSmall ? best_tile(height, width) : kLargestTile;
  down = ceil_div(height, tile);
  across = ceil_div(width, tile);
  interleaved = tile != kLargestTile || (across < kFewTiles && batch >= kFewSamples);
  const int images = ceil_div(kUnitTiles, down * across * (interleaved ? kInterleave : 1));
  const int lot = interleaved ? kInterleave : 1;
  const auto share = std::max<std::int64_t>(1, batch / kUnits / lot);
  unit = lot * static_cast<int>(std::min<std::int64_t>(images, share));
  widest = static_cast<int>(std::clamp<std::int64_t>(
      kResident / ((points() + 1) * std::int64_t{channels}) / kProductWidth * kProductWidth, 32,
      128));
}

std::vector<TileBlock> cut_unit(const TilePlan& plan, int samples) {
  const bool turned = plan.interleaved;
  const int images = turned ? ceil_div(samples, kInterleave) : samples;
  const int rows = turned ? plan.down * plan.across : plan.down;  // of an image
  const int count = turned ? kInterleave : std::min(plan.across, plan.widest);
  const int pieces = turned ? 1 : ceil_div(plan.across, count);
  const int total = images * rows * pieces;

  // Rows of a block: the fewest lanes in all, counting a vector for what a block costs by itself.
  int best = 1;
  std::int64_t fewest = -1;
  for (int size = 1; size <= std::max(1, plan.widest / count); ++size) {
    const int whole = total / size;
    const int rest = total % size;
    const std::int64_t lanes =
        std::int64_t{whole} * (up_to(size * count, kProductWidth) + kProductWidth) +
        (rest > 0 ? up_to(rest * count, kProductWidth) + kProductWidth : 0);
    if (fewest >= 0 && lanes > fewest) continue;
    best = size;
    fewest = lanes;
  }

  std::vector<TileBlock> blocks;
  for (int at = 0; at < total; ++at) {
    if (at % best == 0) blocks.emplace_back();
    TileBlock& block = blocks.back();
    const int image = at / (rows * pieces);
    const int row = at % (rows * pieces) / pieces;
    const int first = at % pieces * count;
    const int length = turned ? count : std::min(count, plan.across - first);
    const bool goes_on = pieces == 1 && !block.runs.empty() && block.runs.back().image == image;
    if (goes_on)
      ++block.runs.back().rows;
    else
      block.runs.push_back({image, row, 1, first, length, block.tiles});
    block.tiles += length;
    block.pitch = block.tiles - length + up_to(length, kProductWidth);
  }
  for (auto& block : blocks) {
    block.lanes = up_to(block.tiles, kProductWidth);
    block.pitch = up_to(std::max(block.pitch, block.lanes), kProductWidth);
  }
  return blocks;
}

TileReader::TileReader(const TilePlan& plan, Transform transform, int channels, int height,
                       int width, int padding)
    : plan_(plan),
      transform_(transform),
      channels_(channels),
      height_(height),
      width_(width),
      padding_(padding) {
  const int halo = transform == Transform::input ? plan.kernel - 1 : 0;
  buffer_height_ = plan.down * plan.tile + halo;
  buffer_width_ = plan.across * plan.tile + halo;
  if (!plan.interleaved) return;
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        places_.push_back(((c * buffer_height_ + y + padding) * buffer_width_ + x + padding) *
                          kInterleave);
}

std::int64_t TileReader::scratch_size() const {
  if (plan_.interleaved)
    return std::int64_t{plan_.unit / kInterleave} * channels_ * buffer_height_ * buffer_width_ *
           kInterleave;
  const int count = std::min(plan_.across, plan_.widest);
  const int rows = std::max(1, plan_.widest / count);
  return std::int64_t{rows * plan_.tile + plan_.kernel - 1} * plan_.tile * place_pitch(count) +
         2 * kMargin;
}

void TileReader::start(const float* images, int samples, float* scratch) {
  images_ = images;
  scratch_ = scratch;
  if (!plan_.interleaved) return;
  const std::int64_t sample = std::int64_t{channels_} * height_ * width_;
  const std::int64_t group = std::int64_t{channels_} * buffer_height_ * buffer_width_ * kInterleave;
  for (int n = 0; n < samples; n += kInterleave)
    interleave_samples(images + n * sample, sample, std::min(kInterleave, samples - n),
                       static_cast<int>(sample), places_.data(), scratch + n / kInterleave * group);
}

void TileReader::apply(const TileGrid& grid, const float* from, float* points,
                       std::int64_t point_stride) const {
  if (transform_ == Transform::input)
    transform_tiles(grid, from, points, point_stride);
  else
    spread_tiles(grid, from, points, point_stride);
}

void TileReader::read(const TileBlock& block, float* points, std::int64_t point_stride) {
  for (const auto& run : block.runs)
    if (plan_.interleaved)
      read_interleaved(run, block.pitch, points + run.lane, point_stride);
    else
      read_wide(run, block.pitch, points + run.lane, point_stride);
}

void TileReader::read_interleaved(const TileRun& run, int pitch, float* points,
                                  std::int64_t point_stride) {
  TileGrid grid;
  grid.filtering = plan_.filtering();
  grid.rows = run.rows;
  grid.count = run.count;
  grid.line = buffer_width_ * kInterleave;
  for (int j = 0; j < kLargestPatch; ++j) grid.columns[j] = j * kInterleave;
  starts_.clear();
  for (int tile = run.row; tile < run.row + run.rows; ++tile)
    starts_.push_back((tile / plan_.across * buffer_width_ + tile % plan_.across) * plan_.tile *
                      kInterleave);
  grid.starts = starts_.data();
  const std::int64_t plane = std::int64_t{buffer_height_} * buffer_width_ * kInterleave;
  const float* from = scratch_ + run.image * channels_ * plane;
  for (int c = 0; c < channels_; ++c)
    apply(grid, from + c * plane, points + std::int64_t{c} * pitch, point_stride);
}

void TileReader::read_wide(const TileRun& run, int pitch, float* points,
                           std::int64_t point_stride) {
  const int tile = plan_.tile;
  const int places = place_pitch(run.count);
  const int halo = transform_ == Transform::input ? plan_.kernel - 1 : 0;
  TileGrid grid;
  grid.filtering = plan_.filtering();
  grid.rows = run.rows;
  grid.count = run.count;
  grid.line = tile * places;
  for (int j = 0; j < tile + halo; ++j) {
    const int column = j - padding_ + tile;  // from the tile on the left on
    grid.columns[j] = column % tile * places + kMargin - 1 + column / tile;
  }
  starts_.clear();
  for (int r = 0; r < run.rows; ++r) starts_.push_back(r * tile * grid.line);
  grid.starts = starts_.data();

  // Lines and columns outside the image are the same in every channel: zeroed once.
  const int lines = run.rows * tile + halo;
  std::fill_n(scratch_, std::int64_t{lines} * grid.line + 2 * kMargin, 0.0f);
  const int top = run.row * tile - padding_;
  const int left = run.first * tile;
  const int existing = std::min(width_ - left, tile * (run.count + 1));
  for (int c = 0; c < channels_; ++c) {
    const float* plane = images_ + (std::int64_t{run.image} * channels_ + c) * height_ * width_;
    for (int line = std::max(0, -top); line < std::min(lines, height_ - top); ++line) {
      const float* from = plane + std::int64_t{top + line} * width_ + left;
      float* to = scratch_ + line * grid.line + kMargin;
      split_columns(from, existing, to, places);
      const int before = left == 0 ? 0 : std::min(tile, width_ - left + tile);
      for (int k = 0; k < before; ++k) to[k * places - 1] = from[k - tile];
    }
    apply(grid, scratch_, points + std::int64_t{c} * pitch, point_stride);
  }
}

TileWriter::TileWriter(const TilePlan& plan, int channels) : plan_(plan), channels_(channels) {}

std::int64_t TileWriter::scratch_size() const {
  if (!plan_.interleaved) return 0;
  return std::int64_t{plan_.unit} * channels_ * plan_.height * plan_.width;
}

void TileWriter::write(const TileBlock& block, const float* points, std::int64_t point_stride,
                       const float* bias, float* images, float* scratch) {
  const int tile = plan_.tile;
  const bool turned = plan_.interleaved;
  const int pixel = turned ? kInterleave : 1;
  const std::int64_t plane = std::int64_t{plan_.height} * plan_.width * pixel;
  TileTarget target;
  target.filtering = plan_.filtering();
  target.line = plan_.width * pixel;
  target.interleaved = turned;
  for (const auto& run : block.runs) {
    target.rows = run.rows;
    target.count = run.count;
    starts_.clear();
    lines_.clear();
    columns_.clear();
    for (int i = run.row; i < run.row + run.rows; ++i) {
      const int top = (turned ? i / plan_.across : i) * tile;
      const int left = (turned ? i % plan_.across : run.first) * tile;
      starts_.push_back((top * plan_.width + left) * pixel);
      lines_.push_back(std::min(tile, plan_.height - top));
      columns_.push_back(std::min(turned ? tile : tile * run.count, plan_.width - left));
    }
    target.starts = starts_.data();
    target.lines = lines_.data();
    target.columns = columns_.data();
    float* to = (turned ? scratch : images) + run.image * channels_ * plane;
    for (int c = 0; c < channels_; ++c)
      restore_tiles(target, points + std::int64_t{c} * block.pitch + run.lane, point_stride,
                    bias != nullptr ? bias[c] : 0.0f, to + c * plane);
  }
}

void TileWriter::finish(int samples, float* images, const float* scratch) const {
  if (!plan_.interleaved) return;
  const std::int64_t sample = std::int64_t{channels_} * plan_.height * plan_.width;
  for (int n = 0; n < samples; n += kInterleave)
    separate_samples(scratch + n * sample, static_cast<int>(sample),
                     std::min(kInterleave, samples - n), images + n * sample, sample);
}

}  // namespace algprior::kernel
