#include "filtered_rows.hpp"

#include "filtered_rows_simd.hpp"
#include "row_product.hpp"
#include "winograd_weights.hpp"

#include <algorithm>

namespace algprior::kernel {
namespace {

constexpr int kSide = FilteredRows::kSide;
constexpr int kMostOut = FilteredRows::kMostOut;

int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

bool FilteredRows::serves(const ConvShape& shape) {
  constexpr int kFewChannels = 4;
  constexpr int kFewTaps = 20;  // of a sum
  const bool size = shape.kernel[1] == 5 || shape.kernel[1] == 7;
  const auto [fewer, more] = std::minmax(shape.in_channels, shape.out_channels);
  return size && shape.stride[1] == 1 && more >= kFewChannels &&
         fewer * shape.kernel[0] * shape.kernel[2] >= kFewTaps;
}

FilteredRows::Along FilteredRows::along(const ConvShape& shape, int terms, int channels,
                                        int lanes) {
  constexpr int kFewChannels = 4;
  constexpr std::int64_t kResident = 96 * 1024;  // floats of a tile at all points
  const int row = round_up(shape.padded(2), kSlack) * lanes;
  const bool fits = std::int64_t{kSide} * kSide * (terms + channels) * row <= kResident;
  const bool cube = shape.kernel[0] == shape.kernel[1] && shape.stride[0] == 1;
  return cube && fits && channels >= kFewChannels ? Along::height_and_depth : Along::height;
}

FilteredRows::FilteredRows(const InputLayout& layout, Along along)
    : kernel(layout.shape.kernel[1]), deep(along == Along::height_and_depth) {
  const ConvShape& s = layout.shape;
  depth_pitch = std::int64_t{s.padded(1)} * layout.pitch;
  depths = s.padded(0);
  rows = s.padded(1);
  pitch = layout.pitch;
  span = layout.pitch;
  out_depths = s.out(0);
  height = s.out(1);
  width = layout.width;
  weight_step = s.kernel[2];
  weight_depth_step = kernel * s.kernel[2];
  const int of_channel = deep ? 1 : depths;  // planes
  const int taps = deep ? 1 : s.kernel[0];   // along the depth
  for (int p = 0; p < s.in_channels * of_channel; ++p)
    planes.push_back(p * (deep ? depths * depth_pitch : depth_pitch));
  const int transformed = points() * transformed_pitch();
  for (int c = 0; c < s.in_channels; ++c)
    for (int d = 0; d < taps; ++d)
      for (int w = 0; w < s.kernel[2]; ++w) {
        offsets.push_back((c * of_channel + d) * transformed + w % s.stride[2] * layout.residue +
                          w / s.stride[2] * layout.lanes);
        weights.push_back((c * s.kernel[0] + d) * weight_depth_step + w);
      }
  for (int d = 0; d < (deep ? 1 : out_depths); ++d)
    depth_rows.push_back(d * s.stride[0] * transformed);
  out_rows.assign(layout.out_rows.begin(), layout.out_rows.end());
}

FilteredRows::FilteredRows(const GradientLayout& layout, const GradientLayout::Phase& phase,
                           Along along)
    : kernel(layout.shape.kernel[1]), deep(along == Along::height_and_depth) {
  const ConvShape& s = layout.shape;
  // Row q of the result meets rows q − r + 1 … q of the gradient, with the weights upside down; so
  // do its depths.
  const int above = kernel - 1 - phase.first[1];
  const int left = (phase.taps[2] - 1 - phase.first[2]) * layout.lanes;
  const int front = phase.first[0] - phase.taps[0] + 1;
  pitch = layout.pitch;
  depth_pitch = std::int64_t{layout.height} * pitch;
  out_depths = phase.count[0];
  height = phase.count[1];
  width = phase.width;
  span = width + (phase.taps[2] - 1) * layout.lanes;
  rows = height + kernel - 1;
  depths = out_depths + phase.taps[0] - 1;
  const int column = s.kernel[2];
  weight_step = -column;
  weight_depth_step = -kernel * column;
  const int of_channel = deep ? 1 : depths;
  const int taps = deep ? 1 : phase.taps[0];
  const int transformed = points() * transformed_pitch();
  for (int c = 0; c < s.out_channels; ++c)
    for (int d = 0; d < of_channel; ++d)
      planes.push_back(layout.first + c * layout.plane + (front + d) * depth_pitch -
                       std::int64_t{above} * pitch - left);
  for (int c = 0; c < s.out_channels; ++c)
    for (int d = 0; d < taps; ++d)
      for (int w = 0; w < phase.taps[2]; ++w) {
        offsets.push_back((c * of_channel + taps - 1 - d) * transformed +
                          (phase.taps[2] - 1 - w) * layout.lanes);
        const int depth = deep ? kernel - 1 : phase.residue[0] + d * s.stride[0];
        weights.push_back((c * s.in_channels * s.kernel[0] + depth) * kernel * column +
                          (kernel - 1) * column + phase.residue[2] + w * s.stride[2]);
      }
  for (int d = 0; d < (deep ? 1 : out_depths); ++d) depth_rows.push_back(d * transformed);
  out_rows.assign(phase.out_rows.begin(), phase.out_rows.end());
}

int FilteredRows::transformed_pitch() const {
  return round_up(span, kSlack) + kSlack;
}

int FilteredRows::product_pitch() const {
  return round_up(width, kSlack);
}

std::int64_t FilteredRows::transformed_size() const {
  // One row more: the row of zeros that stands for rows outside. Where deep, a tile that is
  // transformed along one axis too.
  const std::int64_t half = deep ? kSide * kSide : 0;
  return (static_cast<std::int64_t>(planes.size()) * points() + 1 + half) * transformed_pitch() +
         4 * kSlack;
}

std::int64_t FilteredRows::product_size(int channels) const {
  const std::int64_t half = deep ? kMostOut * kSide : 0;
  return (std::int64_t{channels} * points() * static_cast<std::int64_t>(depth_rows.size()) + half) *
         product_pitch();
}

void pack_filtered_rows(const FilteredRows& plan, const float* source, std::int64_t channel_stride,
                        int channels, float* packed) {
  const auto taps = static_cast<int>(plan.offsets.size());
  const int r = plan.kernel;
  const int depths = plan.deep ? r : 1;
  const std::int64_t set = std::int64_t{taps} * channels;
  std::vector<float> transformed(static_cast<std::size_t>(plan.points() * set));
  for (int c = 0; c < channels; ++c)
    for (int tap = 0; tap < taps; ++tap) {
      const float* w = source + c * channel_stride + plan.weights[tap];
      double half[7][kSide] = {};  // transformed along the height, of each depth
      for (int d = 0; d < depths; ++d)
        for (int j = 0; j < kSide; ++j)
          for (int k = 0; k < r; ++k)
            half[d][j] += eight_points(j, k, r) *
                          static_cast<double>(w[d * plan.weight_depth_step + k * plan.weight_step]);
      for (int point = 0; point < plan.points(); ++point) {
        const int i = point / kSide, j = point % kSide;
        double sum = plan.deep ? 0.0 : half[0][j];
        for (int d = 0; plan.deep && d < depths; ++d) sum += eight_points(i, d, r) * half[d][j];
        transformed[static_cast<std::size_t>(point * set + std::int64_t{c} * taps + tap)] =
            static_cast<float>(sum);
      }
    }
  std::vector<int> order(taps);
  for (int tap = 0; tap < taps; ++tap) order[tap] = tap;
  for (int point = 0; point < plan.points(); ++point) {
    pack_weights(transformed.data() + point * set, taps, order.data(), taps, channels, packed);
    packed += packed_weights_size(channels, taps);
  }
}

namespace {

// Bᵀ of the rows that the tile at output row `top` (and depth `front`) reads, for all planes. The
// rows of zeros are followed by room for half a transform.
void transform_tile(const FilteredRows& plan, const float* in, int front, int top, float* zeros,
                    float* to) {
  const int pitch = plan.transformed_pitch();
  float* half = zeros + pitch;
  const float* rows[kSide];
  const auto along_height = [&](const float* plane, bool inside, float* target) {
    for (int k = 0; k < kSide; ++k)
      rows[k] = inside && top + k < plan.rows ? plane + std::int64_t{top + k} * plan.pitch : zeros;
    transform_rows(rows, plan.span, target, pitch);
  };
  for (const std::int64_t plane : plan.planes) {
    if (!plan.deep) {
      along_height(in + plane, true, to);
    } else {
      for (int i = 0; i < kSide; ++i)
        along_height(in + plane + (front + i) * plan.depth_pitch, front + i < plan.depths,
                     half + i * kSide * pitch);
      for (int j = 0; j < kSide; ++j) {
        for (int i = 0; i < kSide; ++i) rows[i] = half + (i * kSide + j) * pitch;
        transform_rows(rows, plan.span, to + j * pitch, kSide * pitch);
      }
    }
    to += plan.points() * pitch;
  }
}

// Aᵀ of the products of one channel, to the rows of the output from `top` on, at depth `front` or,
// where deep, from there on; `half` has room for a tile that is restored along one axis.
void restore_tile(const FilteredRows& plan, const float* products, int front, int top, float bias,
                  float* half, float* out) {
  const int pitch = plan.product_pitch(), r = plan.kernel;
  const auto along_height = [&](const float* from, int depth) {
    float* targets[kMostOut] = {};
    for (int k = 0; k < std::min(plan.out(), plan.height - top); ++k)
      targets[k] = out + plan.out_rows[depth * plan.height + top + k];
    restore_rows(r, from, pitch, bias, plan.width, targets);
  };
  if (!plan.deep) return along_height(products, front);
  const int depths = std::min(plan.out(), plan.out_depths - front);
  for (int j = 0; j < kSide; ++j) {
    float* targets[kMostOut] = {};
    for (int d = 0; d < depths; ++d) targets[d] = half + (d * kSide + j) * pitch;
    restore_rows(r, products + j * pitch, kSide * pitch, 0.0f, plan.width, targets);
  }
  for (int d = 0; d < depths; ++d) along_height(half + d * kSide * pitch, front + d);
}

}  // namespace

void multiply_filtered_rows(const FilteredRows& plan, const float* in, const float* packed,
                            const float* bias, int channels, float* transformed, float* products,
                            float* out, std::int64_t out_stride) {
  const int points = plan.points();
  const int pitch = plan.transformed_pitch();
  const int product_pitch = plan.product_pitch();
  const auto depths = static_cast<int>(plan.depth_rows.size());  // of a tile
  float* zeros = transformed + static_cast<std::int64_t>(plan.planes.size()) * points * pitch;
  std::vector<int> in_rows, product_rows;  // of each point and depth
  for (int point = 0; point < points; ++point)
    for (int d = 0; d < depths; ++d) {
      in_rows.push_back(plan.depth_rows[d] + point * pitch);
      product_rows.push_back((d * points + point) * product_pitch);
    }
  RowProduct product;
  product.offsets = plan.offsets.data();
  product.taps = static_cast<int>(plan.offsets.size());
  product.channels = channels;
  product.rows = points * depths;
  product.group_rows = depths;
  product.in = transformed;
  product.in_rows = in_rows.data();
  product.out_rows = product_rows.data();
  product.width = round_up(plan.width, 8);
  product.out = products;
  product.out_stride = std::int64_t{depths} * points * product_pitch;
  product.weights = packed;
  product.weight_step = packed_weights_size(channels, product.taps);
  float* half = products + channels * product.out_stride;

  const int fronts = plan.deep ? plan.out_depths : 1;
  for (int front = 0; front < fronts; front += plan.out())
    for (int top = 0; top < plan.height; top += plan.out()) {
      transform_tile(plan, in, front, top, zeros, transformed);
      multiply_rows(product);
      for (int c = 0; c < channels; ++c)
        for (int d = 0; d < depths; ++d)
          restore_tile(plan, products + c * product.out_stride + d * points * product_pitch,
                       front + d, top, bias != nullptr ? bias[c] : 0.0f, half,
                       out + c * out_stride);
    }
}

namespace {

// Floats of the tiles that are taken together, at all points: they stay in the second-level cache.
constexpr std::int64_t kTilesAlongHeight = 72 * 1024, kTilesAlongBoth = 176 * 1024;

// A of the gradient's rows that the tile at (front, top) of one channel has, at all points. `half`
// has room for a tile that is spread along one axis.
void spread_tile(const FilteredRows& plan, const GradientLayout& left, const float* dy, int front,
                 int top, const float* zeros, float* half, float* to) {
  const int pitch = plan.product_pitch(), m = plan.out();
  const float* rows[kMostOut];
  const auto along_height = [&](int depth, float* target) {
    for (int k = 0; k < m; ++k)
      rows[k] = depth < plan.out_depths && top + k < plan.height
                    ? dy + left.rows[depth * plan.height + top + k]
                    : zeros;
    spread_rows(plan.kernel, rows, plan.width, target, pitch);
  };
  if (!plan.deep) {
    for (int d = 0; d < plan.out_depths; ++d) along_height(d, to + d * kSide * pitch);
    return;
  }
  for (int d = 0; d < m; ++d) along_height(front + d, half + d * kSide * pitch);
  for (int j = 0; j < kSide; ++j) {
    for (int d = 0; d < m; ++d) rows[d] = half + (d * kSide + j) * pitch;
    spread_rows(plan.kernel, rows, plan.width, to + j * pitch, kSide * pitch);
  }
}

}  // namespace

FilteredRows::Along FilteredCorrelation::along(const ConvShape& shape, int lanes) {
  constexpr int kFewTaps = 20, kFewTiles = 3;
  const bool cube = shape.kernel[0] == 5 && shape.kernel[1] == 5 && shape.stride[0] == 1;
  const std::int64_t row = round_up(shape.padded(2), kSlack) * lanes;
  const std::int64_t tile =
      kSide * kSide * (shape.in_channels * (row + kSlack) + shape.out_channels * row);
  const bool pays =
      shape.in_channels * shape.kernel[2] >= kFewTaps && kFewTiles * tile <= kTilesAlongBoth;
  return cube && pays ? FilteredRows::Along::height_and_depth : FilteredRows::Along::height;
}

FilteredCorrelation::FilteredCorrelation(const FilteredRows& plan, const GradientLayout& left)
    : plan_(plan), left_(left), channels_(left.shape.out_channels) {
  const int m = plan.out();
  for (int front = 0; front < (plan.deep ? plan.out_depths : 1); front += m)
    for (int top = 0; top < plan.height; top += m) origins_.emplace_back(front, top);
  const auto depths = static_cast<std::int64_t>(plan.depth_rows.size());
  const int pitch = plan.transformed_pitch(), left_pitch = plan.product_pitch();
  right_tile_ = static_cast<std::int64_t>(plan.planes.size()) * plan.points() * pitch;
  left_tile_ = channels_ * depths * plan.points() * left_pitch;
  // A row of zeros, and two tiles of a plane halfway, one behind the other.
  extra_ = std::max(pitch, left_pitch) + 4 * kSlack +
           (plan.deep ? kSide * (kSide * pitch + kMostOut * left_pitch) : 0);
  const std::int64_t resident = plan.deep ? kTilesAlongBoth : kTilesAlongHeight;
  tiles_ = static_cast<int>(std::clamp<std::int64_t>(resident / (right_tile_ + left_tile_), 1,
                                                     static_cast<std::int64_t>(origins_.size())));
}

std::int64_t FilteredCorrelation::sums() const {
  return std::int64_t{plan_.points()} * channels_ * static_cast<std::int64_t>(plan_.offsets.size());
}

void FilteredCorrelation::add(const float* in, const float* dy, float* scratch,
                              double* sums) const {
  const int points = plan_.points();
  const int pitch = plan_.transformed_pitch();
  const int left_pitch = plan_.product_pitch();
  const auto depths = static_cast<int>(plan_.depth_rows.size());
  float* right = scratch;
  float* left = right + tiles_ * right_tile_;
  float* zeros = left + tiles_ * left_tile_;
  float* half = zeros + std::max(pitch, left_pitch) + kSide * kSide * pitch;
  const std::int64_t left_stride = std::int64_t{tiles_} * depths * points * left_pitch;
  std::vector<int> left_rows(static_cast<std::size_t>(tiles_ * depths));
  std::vector<int> right_rows(left_rows.size());

  RowCorrelation correlation;
  correlation.left = left;
  correlation.left_stride = left_stride;
  correlation.left_rows = left_rows.data();
  correlation.right = right;
  correlation.right_rows = right_rows.data();
  correlation.offsets = plan_.offsets.data();
  correlation.taps = static_cast<int>(plan_.offsets.size());
  correlation.channels = channels_;
  correlation.width = plan_.width;

  const auto count = static_cast<int>(origins_.size());
  for (int first = 0; first < count; first += tiles_) {
    const int block = std::min(tiles_, count - first);
    for (int tile = 0; tile < block; ++tile) {
      const auto [front, top] = origins_[first + tile];
      transform_tile(plan_, in, front, top, zeros, right + tile * right_tile_);
      for (int c = 0; c < channels_; ++c)
        spread_tile(plan_, left_, dy + c * left_.plane, front, top, zeros, half,
                    left + c * left_stride + std::int64_t{tile} * depths * points * left_pitch);
    }
    correlation.rows = block * depths;
    for (int point = 0; point < points; ++point) {
      for (int row = 0; row < correlation.rows; ++row) {
        left_rows[row] = (row * points + point) * left_pitch;
        right_rows[row] = static_cast<int>(row / depths * right_tile_) +
                          plan_.depth_rows[row % depths] + point * pitch;
      }
      correlation.sums = sums + std::int64_t{point} * channels_ * correlation.taps;
      correlate_rows(correlation);
    }
  }
}

void FilteredCorrelation::finish(const double* sums, float* dweight) const {
  const auto taps = static_cast<std::int64_t>(plan_.offsets.size());
  const int r = plan_.kernel;
  const int depths = plan_.deep ? r : 1;  // of the weights of a tap
  const std::int64_t point_step = channels_ * taps;
  for (std::int64_t c = 0; c < channels_; ++c)
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      double half[kSide][7] = {};  // Gᵀ along the height, at each point of the depth
      const double* of_tap = sums + c * taps + tap;
      for (int i = 0; i < plan_.points() / kSide; ++i)
        for (int k = 0; k < r; ++k)
          for (int j = 0; j < kSide; ++j)
            half[i][k] += eight_points(j, k, r) * of_tap[(i * kSide + j) * point_step];
      float* weight = dweight + c * taps * depths * r + plan_.weights[tap];
      for (int d = 0; d < depths; ++d)
        for (int k = 0; k < r; ++k) {
          double sum = plan_.deep ? 0.0 : half[0][k];
          for (int i = 0; plan_.deep && i < kSide; ++i) sum += eight_points(i, d, r) * half[i][k];
          weight[d * plan_.weight_depth_step + k * plan_.weight_step] = static_cast<float>(sum);
        }
    }
}

}  // namespace algprior::kernel
