#include "conv_layout.hpp"

#include "row_product.hpp"
#include "transpose.hpp"

#include <algorithm>
#include <cstring>

namespace algprior::kernel {
namespace {

int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

int ceil_divide(int a, int b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

// Length of an axis with its replicated pixels, without padding.
int extended(const ConvShape& shape, int axis) {
  return shape.replicate[axis] + shape.in[axis];
}

// Pixels x of an axis with x + padding ≡ residue modulo the stride; x + padding = stride·q +
// residue. Pixel q of the class receives gradient q − j through kernel position residue + stride·j.
struct AxisPhase {
  AxisPhase(const ConvShape& s, int axis, int residue_)
      : residue(residue_),
        taps(std::max(0, ceil_divide(s.kernel[axis] - residue, s.stride[axis]))),
        first(ceil_divide(s.padding[axis] - residue, s.stride[axis])),
        count((s.padding[axis] + extended(s, axis) - 1 - residue + s.stride[axis]) /
                  s.stride[axis] -
              first) {}

  int residue;
  int taps;
  int first;
  int count;
};

struct Margin {
  int low = 0;
  int high = 0;
};

Margin gradient_margin(const ConvShape& shape, int axis) {
  Margin margin;
  for (int residue = 0; residue < shape.stride[axis]; ++residue) {
    const AxisPhase phase(shape, axis, residue);
    if (phase.count <= 0) continue;
    margin.low = std::max(margin.low, phase.taps - 1 - phase.first);
    margin.high = std::max(margin.high, phase.first + phase.count - shape.out(axis));
  }
  return margin;
}

}  // namespace

int interleaved_samples(const ConvShape& shape) {
  constexpr int kSmallBatch = 8;
  constexpr int kWideRow = 13;
  const int width = shape.out(2);
  const bool fills_vectors = width >= kWideRow && 4 * width >= 3 * round_up(width, 8);
  return fills_vectors || shape.batch < kSmallBatch ? 1 : kInterleave;
}

InputLayout::InputLayout(const ConvShape& s, int lanes_) : shape(s), lanes(lanes_) {
  residue = (s.padded(2) + s.stride[2] - 1) / s.stride[2] * lanes;
  pitch = residue * s.stride[2];
  width = s.out(2) * lanes;
  const int plane = s.padded(0) * s.padded(1) * pitch;
  size = std::int64_t{plane} * s.in_channels + 4 * kSlack;

  for (int c = 0; c < s.in_channels; ++c)
    for (int d = 0; d < s.kernel[0]; ++d)
      for (int h = 0; h < s.kernel[1]; ++h)
        for (int w = 0; w < s.kernel[2]; ++w)
          offsets.push_back(c * plane + (d * s.padded(1) + h) * pitch + w % s.stride[2] * residue +
                            w / s.stride[2] * lanes);
  for (int d = 0; d < s.out(0); ++d)
    for (int h = 0; h < s.out(1); ++h) {
      rows.push_back((d * s.stride[0] * s.padded(1) + h * s.stride[1]) * pitch);
      out_rows.push_back((d * s.out(1) + h) * width);
    }
  for (int w = 0; w < extended(s, 2); ++w) {
    const int at = w + s.padding[2];
    cells.push_back(at % s.stride[2] * residue + at / s.stride[2] * lanes);
  }
  if (lanes != kInterleave || s.replicate != std::array<int, 3>{0, 0, 0}) return;
  for (int c = 0; c < s.in_channels; ++c)
    for (int d = 0; d < s.in[0]; ++d)
      for (int h = 0; h < s.in[1]; ++h)
        for (int w = 0; w < s.in[2]; ++w)
          places.push_back(
              c * plane + ((d + s.padding[0]) * s.padded(1) + h + s.padding[1]) * pitch + cells[w]);
}

void InputLayout::pack(const float* x, int samples, float* packed) const {
  const ConvShape& s = shape;
  const std::int64_t sample_size = s.in_channels * s.in_size();
  if (!places.empty())
    return interleave_samples(x, sample_size, samples, static_cast<int>(sample_size), places.data(),
                              packed);
  const auto put = [&](const float* pixel, float* cell) {
    for (int i = 0; i < samples; ++i) cell[i] = pixel[i * sample_size];
    for (int i = samples; i < lanes; ++i) cell[i] = 0.0f;
  };
  for (int c = 0; c < s.in_channels; ++c)
    for (int d = 0; d < extended(s, 0); ++d)
      for (int h = 0; h < extended(s, 1); ++h) {
        const int from_d = std::max(0, d - s.replicate[0]);
        const int from_h = std::max(0, h - s.replicate[1]);
        const float* from = x + ((std::int64_t{c} * s.in[0] + from_d) * s.in[1] + from_h) * s.in[2];
        float* to = packed + ((std::int64_t{c} * s.padded(0) + d + s.padding[0]) * s.padded(1) + h +
                              s.padding[1]) *
                                 pitch;
        if (lanes == 1 && s.stride[2] == 1) {
          to += s.padding[2];
          for (int w = 0; w < s.replicate[2]; ++w) *to++ = from[0];
          std::memcpy(to, from, sizeof(float) * static_cast<std::size_t>(s.in[2]));
          continue;
        }
        for (int w = 0; w < s.replicate[2]; ++w) put(from, to + cells[w]);
        const int* cell = cells.data() + s.replicate[2];
        if (lanes == 1) {
          for (int w = 0; w < s.in[2]; ++w) to[cell[w]] = from[w];
        } else {
          for (int w = 0; w < s.in[2]; ++w) put(from + w, to + cell[w]);
        }
      }
}

GradientLayout::GradientLayout(const ConvShape& s, int lanes_) : shape(s), lanes(lanes_) {
  const Margin depth = gradient_margin(s, 0);
  const Margin rows_margin = gradient_margin(s, 1);
  const Margin columns = gradient_margin(s, 2);
  const int out_width = s.out(2);
  // The zeros behind a row are the zeros before the next one.
  pitch = (out_width + std::max(columns.low, columns.high)) * lanes;
  if (lanes == 1) pitch = std::max(round_up(pitch, kSlack), round_up(out_width, kSlack));
  height = rows_margin.low + s.out(1) + rows_margin.high;
  plane = std::int64_t{depth.low + s.out(0) + depth.high} * height * pitch;
  const int lead = round_up(columns.low * lanes, kSlack);
  first = lead + (depth.low * height + rows_margin.low) * pitch;
  size = lead + plane * s.out_channels + 4 * kSlack;
  for (int d = 0; d < s.out(0); ++d)
    for (int h = 0; h < s.out(1); ++h) rows.push_back(first + (d * height + h) * pitch);

  direct = lanes == 1 && s.stride[2] == 1 && s.replicate == std::array<int, 3>{0, 0, 0};
  result_residue = 0;
  for (int r = 0; r < s.stride[2]; ++r)
    result_residue = std::max(result_residue, AxisPhase(s, 2, r).count * lanes);
  result_pitch = direct ? s.in[2] : result_residue * s.stride[2];
  result_plane = std::int64_t{extended(s, 0)} * extended(s, 1) * result_pitch;
  for (int w = 0; w < extended(s, 2); ++w) {
    const int at = w + s.padding[2];
    const AxisPhase phase(s, 2, at % s.stride[2]);
    cells.push_back(phase.residue * result_residue + (at / s.stride[2] - phase.first) * lanes);
  }

  const int kernel_size = s.kernel[0] * s.kernel[1] * s.kernel[2];
  for (int rd = 0; rd < s.stride[0]; ++rd)
    for (int rh = 0; rh < s.stride[1]; ++rh)
      for (int rw = 0; rw < s.stride[2]; ++rw) {
        const AxisPhase pd(s, 0, rd), ph(s, 1, rh), pw(s, 2, rw);
        if (pd.count <= 0 || ph.count <= 0 || pw.count <= 0) continue;
        Phase phase;
        phase.width = pw.count * lanes;
        phase.residue = {rd, rh, rw};
        phase.taps = {pd.taps, ph.taps, pw.taps};
        phase.first = {pd.first, ph.first, pw.first};
        phase.count = {pd.count, ph.count, pw.count};
        for (int c = 0; c < s.out_channels; ++c)
          for (int d = 0; d < pd.taps; ++d)
            for (int h = 0; h < ph.taps; ++h)
              for (int w = 0; w < pw.taps; ++w) {
                phase.offsets.push_back(static_cast<int>(c * plane) - (d * height + h) * pitch -
                                        w * lanes);
                phase.weights.push_back(
                    c * s.in_channels * kernel_size +
                    ((rd + d * s.stride[0]) * s.kernel[1] + rh + h * s.stride[1]) * s.kernel[2] +
                    rw + w * s.stride[2]);
              }
        for (int qd = pd.first; qd < pd.first + pd.count; ++qd)
          for (int qh = ph.first; qh < ph.first + ph.count; ++qh) {
            phase.rows.push_back(first + (qd * height + qh) * pitch + pw.first * lanes);
            const int d = qd * s.stride[0] + rd - s.padding[0];
            const int h = qh * s.stride[1] + rh - s.padding[1];
            phase.out_rows.push_back((d * extended(s, 1) + h) * result_pitch +
                                     (direct ? 0 : rw * result_residue));
          }
        phases.push_back(std::move(phase));
      }

  if (lanes != kInterleave) return;
  for (int c = 0; c < s.out_channels; ++c)
    for (const int row : rows)
      for (int w = 0; w < out_width; ++w)
        places.push_back(static_cast<int>(c * plane) + row + w * lanes);
  if (s.replicate != std::array<int, 3>{0, 0, 0}) return;
  for (int c = 0; c < s.in_channels; ++c)
    for (int line = 0; line < s.in[0] * s.in[1]; ++line)
      for (int w = 0; w < s.in[2]; ++w)
        result_places.push_back(static_cast<int>(c * result_plane) + line * result_pitch +
                                cells[w]);
}

void GradientLayout::pack(const float* dy, int samples, float* packed) const {
  const ConvShape& s = shape;
  const int out_width = s.out(2);
  const std::int64_t sample_size = s.out_channels * s.out_size();
  if (lanes > 1)
    return interleave_samples(dy, sample_size, samples, static_cast<int>(sample_size),
                              places.data(), packed);
  for (int c = 0; c < s.out_channels; ++c)
    for (const int row : rows) {
      std::memcpy(packed + c * plane + row, dy,
                  sizeof(float) * static_cast<std::size_t>(out_width));
      dy += out_width;
    }
}

void GradientLayout::unpack(const float* result, int samples, float* dx) const {
  const ConvShape& s = shape;
  const std::int64_t sample_size = s.in_channels * s.in_size();
  if (!result_places.empty())
    return separate_places(result, result_places.data(), static_cast<int>(sample_size), samples, dx,
                           sample_size);
  const bool folds = s.replicate != std::array<int, 3>{0, 0, 0};
  if (folds) std::memset(dx, 0, sizeof(float) * static_cast<std::size_t>(samples * sample_size));
  for (int c = 0; c < s.in_channels; ++c)
    for (int d = 0; d < extended(s, 0); ++d)
      for (int h = 0; h < extended(s, 1); ++h) {
        const float* from = result + c * result_plane + (d * extended(s, 1) + h) * result_pitch;
        const int to_d = std::max(0, d - s.replicate[0]);
        const int to_h = std::max(0, h - s.replicate[1]);
        float* to = dx + ((std::int64_t{c} * s.in[0] + to_d) * s.in[1] + to_h) * s.in[2];
        if (!folds && lanes == 1) {
          for (int w = 0; w < s.in[2]; ++w) to[w] = from[cells[w]];
          continue;
        }
        for (int w = 0; w < extended(s, 2); ++w) {
          const float* cell = from + cells[w];
          float* pixel = to + std::max(0, w - s.replicate[2]);
          if (folds) {
            for (int i = 0; i < samples; ++i) pixel[i * sample_size] += cell[i];
          } else {
            for (int i = 0; i < samples; ++i) pixel[i * sample_size] = cell[i];
          }
        }
      }
}

}  // namespace algprior::kernel
