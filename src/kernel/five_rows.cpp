#include "five_rows.hpp"

#include "five_rows_simd.hpp"
#include "row_product.hpp"

#include <algorithm>

namespace algprior::kernel {
namespace {

int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

constexpr double kG[FiveRows::kPoints][FiveRows::kKernel] = {
    {-1, 0, 0, 0, 0},
    {-2.0 / 9, -2.0 / 9, -2.0 / 9, -2.0 / 9, -2.0 / 9},
    {-2.0 / 9, 2.0 / 9, -2.0 / 9, 2.0 / 9, -2.0 / 9},
    {1.0 / 90, 2.0 / 90, 4.0 / 90, 8.0 / 90, 16.0 / 90},
    {1.0 / 90, -2.0 / 90, 4.0 / 90, -8.0 / 90, 16.0 / 90},
    {32.0 / 45, 16.0 / 45, 8.0 / 45, 4.0 / 45, 2.0 / 45},
    {32.0 / 45, -16.0 / 45, 8.0 / 45, -4.0 / 45, 2.0 / 45},
    {0, 0, 0, 0, 1},
};

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
          sum += kG[point][k] * static_cast<double>(w[k * plan.weight_step]);
        transformed[static_cast<std::size_t>(c) * taps + tap] = static_cast<float>(sum);
      }
    pack_weights(transformed.data(), taps, order.data(), taps, channels, packed);
    packed += packed_weights_size(channels, taps);
  }
}

void multiply_five_rows(const FiveRows& plan, const float* in, const float* packed,
                        const float* bias, int channels, float* transformed, float* products,
                        float* out, std::int64_t out_stride) {
  constexpr int kPoints = FiveRows::kPoints;
  const int pitch = plan.transformed_pitch();
  const int product_pitch = plan.product_pitch();
  const auto depths = static_cast<int>(plan.depth_rows.size());
  const float* zeros =
      transformed + static_cast<std::int64_t>(plan.planes.size()) * kPoints * pitch;
  std::vector<int> in_rows(plan.depth_rows.size()), product_rows(plan.depth_rows.size());
  RowProduct product;
  product.offsets = plan.offsets.data();
  product.taps = static_cast<int>(plan.offsets.size());
  product.channels = channels;
  product.rows = depths;
  product.in = transformed;
  product.in_rows = in_rows.data();
  product.out_rows = product_rows.data();
  product.width = round_up(plan.width, 8);
  product.out = products;
  product.out_stride = std::int64_t{depths} * kPoints * product_pitch;
  const std::int64_t packed_size = packed_weights_size(channels, product.taps);

  for (int top = 0; top < plan.height; top += FiveRows::kOut) {
    for (std::size_t p = 0; p < plan.planes.size(); ++p) {
      const float* rows[kPoints];
      for (int k = 0; k < kPoints; ++k) {
        const int row = top + k;
        rows[k] = row < plan.rows ? in + plan.planes[p] + std::int64_t{row} * plan.pitch : zeros;
      }
      transform_rows(rows, plan.span, transformed + static_cast<std::int64_t>(p) * kPoints * pitch,
                     pitch);
    }
    for (int point = 0; point < kPoints; ++point) {
      for (int d = 0; d < depths; ++d) {
        in_rows[d] = plan.depth_rows[d] + point * pitch;
        product_rows[d] = (d * kPoints + point) * product_pitch;
      }
      product.weights = packed + point * packed_size;
      multiply_rows(product);
    }
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

}  // namespace algprior::kernel
