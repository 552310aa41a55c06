#include "algprior/kernel/conv.hpp"

#include "algprior/base/parallel.hpp"
#include "conv_layout.hpp"
#include "filtered_rows.hpp"
#include "plane.hpp"
#include "row_product.hpp"
#include "transpose.hpp"
#include "winograd.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <hwy/aligned_allocator.h>

namespace algprior {
namespace {

using Floats = hwy::AlignedFreeUniquePtr<float[]>;

Floats zeros(std::int64_t count) {
  auto floats =
      hwy::AllocateAligned<float>(static_cast<std::size_t>(std::max<std::int64_t>(1, count)));
  std::memset(floats.get(), 0, sizeof(float) * static_cast<std::size_t>(count));
  return floats;
}

std::vector<int> counting(int count) {
  std::vector<int> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

// Scratch for a plan, if there is one.
struct FilterScratch {
  FilterScratch(const std::optional<kernel::FilteredRows>& plan, int channels)
      : transformed(zeros(plan ? plan->transformed_size() : 0)),
        products(zeros(plan ? plan->product_size(channels) : 0)) {}
  Floats transformed, products;
};

Floats pack_filter(const kernel::FilteredRows& plan, const float* weight,
                   std::int64_t channel_stride, int channels) {
  const auto taps = static_cast<int>(plan.offsets.size());
  auto packed = zeros(plan.points() * kernel::packed_weights_size(channels, taps));
  kernel::pack_filtered_rows(plan, weight, channel_stride, channels, packed.get());
  return packed;
}

// A number of parts that keeps every core of a workstation busy, and the partial sums small.
std::int64_t parts_of(std::int64_t groups, std::int64_t sums) {
  constexpr std::int64_t kMostParts = 64;
  constexpr std::int64_t kLargestPartials = 1 << 20;
  const auto fitting =
      std::max<std::int64_t>(8, kLargestPartials / std::max<std::int64_t>(1, sums));
  return std::max<std::int64_t>(1, std::min({groups, kMostParts, fitting}));
}

}  // namespace

void conv_forward(const ConvShape& shape, const float* x, const float* weight, const float* bias,
                  float* y, Moments* moments) {
  if (kernel::winograd_serves(shape))
    return kernel::winograd_forward(shape, x, weight, bias, y, moments);
  const int lanes = kernel::interleaved_samples(shape);
  const kernel::InputLayout layout(shape, lanes);
  const int taps = shape.taps();
  std::optional<kernel::FilteredRows> plan;
  if (kernel::FilteredRows::serves(shape))
    plan.emplace(layout,
                 kernel::FilteredRows::along(shape, shape.in_channels, shape.out_channels, lanes));
  Floats packed;
  if (plan) {
    packed = pack_filter(*plan, weight, taps, shape.out_channels);
  } else {
    packed = zeros(kernel::packed_weights_size(shape.out_channels, taps));
    kernel::pack_weights(weight, taps, counting(taps).data(), taps, shape.out_channels,
                         packed.get());
  }

  const std::int64_t in_sample = shape.in_channels * shape.in_size();
  const std::int64_t out_size = shape.out_size();
  const std::int64_t out_sample = shape.out_channels * out_size;
  const std::int64_t groups = (shape.batch + lanes - 1) / lanes;
  parallel_for(groups, [&](std::int64_t begin, std::int64_t end) {
    const auto in = zeros(layout.size);
    const auto out = lanes > 1 ? zeros(out_sample * lanes) : nullptr;
    const FilterScratch scratch(plan, shape.out_channels);
    for (std::int64_t group = begin; group < end; ++group) {
      const std::int64_t first = group * lanes;
      const auto samples = static_cast<int>(std::min<std::int64_t>(lanes, shape.batch - first));
      layout.pack(x + first * in_sample, samples, in.get());
      float* sample_out = y + first * out_sample;
      float* to = out ? out.get() : sample_out;
      if (plan) {
        kernel::multiply_filtered_rows(*plan, in.get(), packed.get(), bias, shape.out_channels,
                                       scratch.transformed.get(), scratch.products.get(), to,
                                       out_size * lanes);
      } else {
        kernel::RowProduct product;
        product.in = in.get();
        product.offsets = layout.offsets.data();
        product.taps = taps;
        product.weights = packed.get();
        product.bias = bias;
        product.channels = shape.out_channels;
        product.rows = static_cast<int>(layout.rows.size());
        product.in_rows = layout.rows.data();
        product.out_rows = layout.out_rows.data();
        product.width = layout.width;
        product.out = to;
        product.out_stride = out_size * lanes;
        kernel::multiply_rows(product);
      }
      if (out)
        kernel::separate_samples(out.get(), static_cast<int>(out_sample), samples, sample_out,
                                 out_sample);
      if (moments == nullptr) continue;
      for (std::int64_t plane = 0; plane < samples * shape.out_channels; ++plane)
        moments[first * shape.out_channels + plane] =
            kernel::plane_moments(sample_out + plane * out_size, out_size);
    }
  });
}

void conv_backward(const ConvShape& shape, const float* x, const float* weight,
                   const GradientSource& gradient, float* dx, float* dweight, float* dbias) {
  if (kernel::winograd_serves(shape))
    return kernel::winograd_backward(shape, x, weight, gradient, dx, dweight, dbias);
  const int lanes = kernel::interleaved_samples(shape);
  const kernel::InputLayout in_layout(shape, lanes);
  const kernel::GradientLayout layout(shape, lanes);
  const int taps = shape.taps();
  const int kernel_size = taps / shape.in_channels;

  std::vector<Floats> packed;
  std::vector<std::optional<kernel::FilteredRows>> plans(layout.phases.size());
  if (dx != nullptr)
    for (std::size_t i = 0; i < layout.phases.size(); ++i) {
      const auto& phase = layout.phases[i];
      if (kernel::FilteredRows::serves(shape)) {
        plans[i].emplace(
            layout, phase,
            kernel::FilteredRows::along(shape, shape.out_channels, shape.in_channels, lanes));
        packed.push_back(pack_filter(*plans[i], weight, kernel_size, shape.in_channels));
        continue;
      }
      const auto count = static_cast<int>(phase.offsets.size());
      packed.push_back(zeros(kernel::packed_weights_size(shape.in_channels, count)));
      kernel::pack_weights(weight, kernel_size, phase.weights.data(), count, shape.in_channels,
                           packed.back().get());
    }

  const std::int64_t in_sample = shape.in_channels * shape.in_size();
  const std::int64_t out_size = shape.out_size();
  const std::int64_t out_sample = shape.out_channels * out_size;
  const std::int64_t groups = (shape.batch + lanes - 1) / lanes;
  // The gradient of the weights by filtered rows, or tap by tap.
  std::optional<kernel::FilteredRows> in_plan;
  std::optional<kernel::FilteredCorrelation> filtered;
  if (kernel::FilteredRows::serves(shape)) {
    in_plan.emplace(in_layout, kernel::FilteredCorrelation::along(shape, lanes));
    filtered.emplace(*in_plan, layout);
  }
  const std::int64_t weights = std::int64_t{shape.out_channels} * taps;
  const std::int64_t weight_sums = filtered ? filtered->sums() : weights;
  const std::int64_t sums = weight_sums + shape.out_channels;
  const std::int64_t parts = parts_of(groups, sums);
  std::vector<double> partial(static_cast<std::size_t>(parts * sums), 0.0);

  const auto run_group = [&](std::int64_t group, float* in, float* dy, float* packed_dy,
                             float* result, float* correlated,
                             const std::vector<FilterScratch>& scratch, double* part) {
    const std::int64_t first = group * lanes;
    const auto samples = static_cast<int>(std::min<std::int64_t>(lanes, shape.batch - first));
    double* bias_sums = part + weight_sums;
    for (int i = 0; i < samples; ++i) {
      float* planes = dy + i * out_sample;
      gradient(first + i, planes);
      for (int c = 0; c < shape.out_channels; ++c)
        bias_sums[c] += kernel::plane_sum(planes + c * out_size, out_size);
    }
    layout.pack(dy, samples, packed_dy);
    if (dweight != nullptr) {
      in_layout.pack(x + first * in_sample, samples, in);
      if (filtered) filtered->add(in, packed_dy, correlated, part);
    }
    if (dweight != nullptr && !filtered) {
      kernel::RowCorrelation correlation;
      correlation.left = packed_dy;
      correlation.left_stride = layout.plane;
      correlation.left_rows = layout.rows.data();
      correlation.right = in;
      correlation.right_rows = in_layout.rows.data();
      correlation.offsets = in_layout.offsets.data();
      correlation.taps = taps;
      correlation.channels = shape.out_channels;
      correlation.rows = static_cast<int>(layout.rows.size());
      correlation.width = in_layout.width;
      correlation.sums = part;
      kernel::correlate_rows(correlation);
    }
    if (dx == nullptr) return;
    float* sample_dx = dx + first * in_sample;
    for (std::size_t i = 0; i < layout.phases.size(); ++i) {
      const auto& phase = layout.phases[i];
      float* to = layout.direct ? sample_dx : result;
      if (plans[i]) {
        kernel::multiply_filtered_rows(*plans[i], packed_dy, packed[i].get(), nullptr,
                                       shape.in_channels, scratch[i].transformed.get(),
                                       scratch[i].products.get(), to, layout.result_plane);
        continue;
      }
      kernel::RowProduct product;
      product.in = packed_dy;
      product.offsets = phase.offsets.data();
      product.taps = static_cast<int>(phase.offsets.size());
      product.weights = packed[i].get();
      product.channels = shape.in_channels;
      product.rows = static_cast<int>(phase.rows.size());
      product.in_rows = phase.rows.data();
      product.out_rows = phase.out_rows.data();
      product.width = phase.width;
      product.out = to;
      product.out_stride = layout.result_plane;
      kernel::multiply_rows(product);
    }
    if (!layout.direct) layout.unpack(result, samples, sample_dx);
  };

  parallel_for(parts, [&](std::int64_t begin, std::int64_t end) {
    const auto in = zeros(dweight != nullptr ? in_layout.size : 0);
    const auto dy = zeros(out_sample * lanes);
    const auto packed_dy = zeros(layout.size);
    const auto result =
        zeros(dx != nullptr && !layout.direct ? layout.result_plane * shape.in_channels : 0);
    const auto correlated = zeros(filtered && dweight != nullptr ? filtered->scratch_size() : 0);
    std::vector<FilterScratch> scratch;
    for (const auto& plan : plans) scratch.emplace_back(plan, shape.in_channels);
    for (std::int64_t part = begin; part < end; ++part)
      for (std::int64_t group = groups * part / parts; group < groups * (part + 1) / parts; ++group)
        run_group(group, in.get(), dy.get(), packed_dy.get(), result.get(), correlated.get(),
                  scratch, partial.data() + part * sums);
  });

  for (std::int64_t part = 1; part < parts; ++part)
    for (std::int64_t i = 0; i < sums; ++i) partial[i] += partial[part * sums + i];
  if (dweight != nullptr && filtered) filtered->finish(partial.data(), dweight);
  if (dweight != nullptr && !filtered)
    for (std::int64_t i = 0; i < weights; ++i) dweight[i] = static_cast<float>(partial[i]);
  if (dbias != nullptr)
    for (int c = 0; c < shape.out_channels; ++c)
      dbias[c] = static_cast<float>(partial[weight_sums + c]);
}

}  // namespace algprior
