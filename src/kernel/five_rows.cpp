#include "five_rows.hpp"

#include "five_rows_simd.hpp"
#include "row_product.hpp"
#include "winograd_weights.hpp"

#include <algorithm>

namespace algprior::kernel {
namespace {

int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

bool FiveRows::serves(const ConvShape& shape) {
  constexpr int kFewChannels = 4;
  return shape.kernel[1] == kKernel && shape.stride[1] == 1 && shape.in_channels >= kFewChannels &&
         shape.out_channels >= kFewChannels;
}

FiveRows::FiveRows(const InputLayout& layout) {
  const ConvShape& s = layout.shape;
  const int plane = s.padded(1) * layout.pitch;
  for (int p = 0; p < s.in_channels * s.padded(0); ++p) planes.push_back(std::int64_t{p} * plane);
  rows = s.padded(1);
  pitch = layout.pitch;
  span = layout.pitch;
  height = s.out(1);
  width = layout.width;
  weight_step = s.kernel[2];
  const int transformed = kPoints * transformed_pitch();
  for (int c = 0; c < s.in_channels; ++c)
    for (int d = 0; d < s.kernel[0]; ++d)
      for (int w = 0; w < s.kernel[2]; ++w) {
        offsets.push_back((c * s.padded(0) + d) * transformed + w % s.stride[2] * layout.residue +
                          w / s.stride[2] * layout.lanes);
        weights.push_back((c * s.kernel[0] + d) * kKernel * s.kernel[2] + w);
      }
  for (int d = 0; d < s.out(0); ++d) depth_rows.push_back(d * s.stride[0] * transformed);
  out_rows.assign(layout.out_rows.begin(), layout.out_rows.end());
}

FiveRows::FiveRows(const GradientLayout& layout, const GradientLayout::Phase& phase) {
  const ConvShape& s = layout.shape;
  // Row q of the result meets rows q − 4 … q of the gradient, with the weights upside down.
  const int q = phase.first[1];
  const int above = kKernel - 1 - q;
  const int left = (phase.taps[2] - 1 - phase.first[2]) * layout.lanes;
  pitch = layout.pitch;
  height = phase.count[1];
  width = phase.width;
  span = width + (phase.taps[2] - 1) * layout.lanes;
  rows = height + kKernel - 1;
  weight_step = -s.kernel[2];
  const int transformed = kPoints * transformed_pitch();
  const int depths = phase.count[0] + phase.taps[0] - 1;
  for (int c = 0; c < s.out_channels; ++c)
    for (int d = 0; d < depths; ++d)
      planes.push_back(
          layout.first + c * layout.plane +
          (std::int64_t{phase.first[0] - phase.taps[0] + 1 + d} * layout.height - above) * pitch -
          left);
  const int column = s.kernel[2];
  for (int c = 0; c < s.out_channels; ++c)
    for (int d = 0; d < phase.taps[0]; ++d)
      for (int w = 0; w < phase.taps[2]; ++w) {
        offsets.push_back((c * depths + phase.taps[0] - 1 - d) * transformed +
                          (phase.taps[2] - 1 - w) * layout.lanes);
        const int depth = phase.residue[0] + d * s.stride[0];
        weights.push_back((c * s.in_channels * s.kernel[0] + depth) * kKernel * column +
                          (kKernel - 1) * column + phase.residue[2] + w * s.stride[2]);
      }
  for (int d = 0; d < phase.count[0]; ++d) depth_rows.push_back(d * transformed);
  out_rows.assign(phase.out_rows.begin(), phase.out_rows.end());
}

int FiveRows::transformed_pitch() const {
  return round_up(span, kSlack) + kSlack;
}

int FiveRows::product_pitch() const {
  return round_up(width, kSlack);
}

std::int64_t FiveRows::transformed_size() const {
  // One row more: the row of zeros that stands for rows outside.
  return (static_cast<std::int64_t>(planes.size()) * kPoints + 1) * transformed_pitch() +
         4 * kSlack;
}

std::int64_t FiveRows::product_size(int channels) const {
  return std::int64_t{channels} * kPoints * static_cast<std::int64_t>(depth_rows.size()) *
         product_pitch();
}

void pack_five_rows(const FiveRows& plan, const float* source, std::int64_t channel_stride,
                    int channels, float* packed) {
  const auto taps = static_cast<int>(plan.offsets.size());
  std::vector<float> transformed(static_cast<std::size_t>(taps) * channels);
  std::vector<int> order(taps);
  for (int tap = 0; tap < taps; ++tap) order[tap] = tap;
  for (int point = 0; point < FiveRows::kPoints; ++point) {
    for (int c = 0; c < channels; ++c)
      for (int tap = 0; tap < taps; ++tap) {
        const float* w = source + c * channel_stride + plan.weights[tap];
        double sum = 0.0;
        for (int k = 0; k < FiveRows::kKernel; ++k)
          sum += kG45[point][k] * static_cast<double>(w[k * plan.weight_step]);
        transformed[static_cast<std::size_t>(c) * taps + tap] = static_cast<float>(sum);
      }
    pack_weights(transformed.data(), taps, order.data(), taps, channels, packed);
    packed += packed_weights_size(channels, taps);
  }
}

namespace {

// Bᵀ of the rows that the tile at output row `top` reads, for all planes.
void transform_tile(const FiveRows& plan, const float* in, int top, const float* zeros, float* to) {
  const int pitch = plan.transformed_pitch();
  for (const std::int64_t plane : plan.planes) {
    const float* rows[FiveRows::kPoints];
    for (int k = 0; k < FiveRows::kPoints; ++k)
      rows[k] = top + k < plan.rows ? in + plane + std::int64_t{top + k} * plan.pitch : zeros;
    transform_rows(rows, plan.span, to, pitch);
    to += FiveRows::kPoints * pitch;
  }
}

}  // namespace

void multiply_five_rows(const FiveRows& plan, const float* in, const float* packed,
                        const float* bias, int channels, float* transformed, float* products,
                        float* out, std::int64_t out_stride) {
  constexpr int kPoints = FiveRows::kPoints;
  const int pitch = plan.transformed_pitch();
  const int product_pitch = plan.product_pitch();
  const auto depths = static_cast<int>(plan.depth_rows.size());
  const float* zeros =
      transformed + static_cast<std::int64_t>(plan.planes.size()) * kPoints * pitch;
  std::vector<int> in_rows, product_rows;  // of each point and depth
  for (int point = 0; point < kPoints; ++point)
    for (int d = 0; d < depths; ++d) {
      in_rows.push_back(plan.depth_rows[d] + point * pitch);
      product_rows.push_back((d * kPoints + point) * product_pitch);
    }
  RowProduct product;
  product.offsets = plan.offsets.data();
  product.taps = static_cast<int>(plan.offsets.size());
  product.channels = channels;
  product.rows = kPoints * depths;
  product.group_rows = depths;
  product.in = transformed;
  product.in_rows = in_rows.data();
  product.out_rows = product_rows.data();
  product.width = round_up(plan.width, 8);
  product.out = products;
  product.out_stride = std::int64_t{depths} * kPoints * product_pitch;
  product.weights = packed;
  product.weight_step = packed_weights_size(channels, product.taps);

  for (int top = 0; top < plan.height; top += FiveRows::kOut) {
    transform_tile(plan, in, top, zeros, transformed);
    multiply_rows(product);
    for (int c = 0; c < channels; ++c)
      for (int d = 0; d < depths; ++d) {
        float* targets[FiveRows::kOut] = {};
        for (int k = 0; k < std::min(FiveRows::kOut, plan.height - top); ++k)
          targets[k] = out + c * out_stride + plan.out_rows[d * plan.height + top + k];
        restore_rows(products + c * product.out_stride + d * kPoints * product_pitch, product_pitch,
                     bias != nullptr ? bias[c] : 0.0f, plan.width, targets);
      }
  }
}

FiveRowsCorrelation::FiveRowsCorrelation(const FiveRows& plan, const GradientLayout& left)
    : plan_(plan), left_(left), channels_(left.shape.out_channels) {
  // As many tiles as stay in the second-level cache.
  constexpr std::int64_t kResident = 72 * 1024;
  const auto depths = static_cast<std::int64_t>(plan.depth_rows.size());
  right_tile_ =
      static_cast<std::int64_t>(plan.planes.size()) * FiveRows::kPoints * plan.transformed_pitch();
  left_tile_ = channels_ * depths * FiveRows::kPoints * plan.product_pitch();
  zeros_ = std::max(plan.transformed_pitch(), plan.product_pitch()) + 4 * kSlack;
  const int all = (plan.height + FiveRows::kOut - 1) / FiveRows::kOut;
  tiles_ =
      static_cast<int>(std::clamp<std::int64_t>(kResident / (right_tile_ + left_tile_), 1, all));
}

std::int64_t FiveRowsCorrelation::sums() const {
  return std::int64_t{FiveRows::kPoints} * channels_ *
         static_cast<std::int64_t>(plan_.offsets.size());
}

void FiveRowsCorrelation::add(const float* in, const float* dy, float* scratch,
                              double* sums) const {
  constexpr int kPoints = FiveRows::kPoints;
  constexpr int kOut = FiveRows::kOut;
  const int pitch = plan_.transformed_pitch();
  const int left_pitch = plan_.product_pitch();
  const auto depths = static_cast<int>(plan_.depth_rows.size());
  float* right = scratch;
  float* left = right + tiles_ * right_tile_;
  const float* zeros = left + tiles_ * left_tile_;
  const std::int64_t left_stride = std::int64_t{tiles_} * depths * kPoints * left_pitch;
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

  for (int top = 0; top < plan_.height; top += tiles_ * kOut) {
    int tile = 0;
    for (; tile < tiles_ && top + tile * kOut < plan_.height; ++tile) {
      const int first = top + tile * kOut;
      transform_tile(plan_, in, first, zeros, right + tile * right_tile_);
      for (int c = 0; c < channels_; ++c)
        for (int d = 0; d < depths; ++d) {
          const float* rows[kOut];
          for (int k = 0; k < kOut; ++k)
            rows[k] = first + k < plan_.height
                          ? dy + c * left_.plane + left_.rows[d * plan_.height + first + k]
                          : zeros;
          spread_rows(rows, plan_.width,
                      left + c * left_stride + (tile * depths + d) * kPoints * left_pitch,
                      left_pitch);
        }
    }
    correlation.rows = tile * depths;
    for (int point = 0; point < kPoints; ++point) {
      for (int row = 0; row < correlation.rows; ++row) {
        left_rows[row] = (row * kPoints + point) * left_pitch;
        right_rows[row] = static_cast<int>(row / depths * right_tile_) +
                          plan_.depth_rows[row % depths] + point * pitch;
      }
      correlation.sums = sums + std::int64_t{point} * channels_ * correlation.taps;
      correlate_rows(correlation);
    }
  }
}

void FiveRowsCorrelation::finish(const double* sums, float* dweight) const {
  const auto taps = static_cast<std::int64_t>(plan_.offsets.size());
  for (std::int64_t c = 0; c < channels_; ++c)
    for (std::int64_t tap = 0; tap < taps; ++tap)
      for (int k = 0; k < FiveRows::kKernel; ++k) {
        double sum = 0.0;
        for (int point = 0; point < FiveRows::kPoints; ++point)
          sum += kG45[point][k] * sums[(point * channels_ + c) * taps + tap];
        dweight[c * taps * FiveRows::kKernel + plan_.weights[tap] + k * plan_.weight_step] =
            static_cast<float>(sum);
      }
}

}  // namespace algprior::kernel
