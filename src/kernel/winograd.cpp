#include "winograd.hpp"

#include "algprior/base/parallel.hpp"
#include "plane.hpp"
#include "recycle.hpp"
#include "winograd_unit.hpp"

#include <algorithm>
#include <optional>

namespace algprior::kernel {
namespace {

// A number of parts that keeps every core busy, the partial sums small, and their cost below that
// of the products.
std::int64_t sum_parts(std::int64_t units, std::int64_t tiles, std::int64_t sums) {
  constexpr std::int64_t kMostParts = 64;
  constexpr std::int64_t kFewParts = 4;
  constexpr std::int64_t kTilesOfPart = 512;
  constexpr std::int64_t kLargestPartials = 1 << 22;
  const auto most = std::min({units, kMostParts, tiles / kTilesOfPart, kLargestPartials / sums});
  return std::max<std::int64_t>(1, std::max(most, std::min(units, kFewParts)));
}

// Megabytes that every backward pass wants: recycled, for fresh pages cost more than the sums.
class PartialSums {
 public:
  explicit PartialSums(std::int64_t count)
      : block_(take_block(sizeof(float) * static_cast<std::size_t>(count))) {}
  PartialSums(const PartialSums&) = delete;
  PartialSums& operator=(const PartialSums&) = delete;
  ~PartialSums() { give_block(block_); }
  float* data() const { return static_cast<float*>(block_.data); }

 private:
  Block block_;
};

TilePlan plan_of(const ConvShape& shape, int height, int width) {
  return {shape.batch, height, width, std::max(shape.in_channels, shape.out_channels),
          shape.kernel[2]};
}

// Both plans walk over the same units, so that the gradient of the output is made once.
int common_unit(TilePlan& a, TilePlan& b) {
  const int lot = a.interleaved || b.interleaved ? kInterleave : 1;
  const int unit = (std::max(a.unit, b.unit) + lot - 1) / lot * lot;
  a.unit = b.unit = unit;
  return unit;
}

}  // namespace

bool winograd_applies(const ConvShape& shape) {
  const bool square = shape.kernel == std::array{1, 3, 3} || shape.kernel == std::array{1, 5, 5};
  return square && shape.stride == std::array{1, 1, 1} && shape.replicate == std::array{0, 0, 0} &&
         shape.in[0] == 1 && shape.padding[0] == 0 && shape.padding[1] == shape.padding[2] &&
         shape.padding[1] >= 0 && shape.padding[1] < shape.kernel[1];
}

bool winograd_serves(const ConvShape& shape) {
  constexpr int kFewChannels = 16;
  constexpr std::int64_t kFewTiles = 16;
  if (!winograd_applies(shape)) return false;
  if (std::min(shape.in_channels, shape.out_channels) < kFewChannels) return false;
  const TilePlan plan = plan_of(shape, shape.out(1), shape.out(2));
  const std::int64_t channels = std::max(shape.in_channels, shape.out_channels);
  return shape.batch * plan.down * plan.across >= std::max(kFewTiles, channels / 2);
}

void winograd_forward(const ConvShape& shape, const float* x, const float* weight,
                      const float* bias, float* y, Moments* moments) {
  if (shape.batch == 0) return;
  const TilePlan plan = plan_of(shape, shape.out(1), shape.out(2));
  const UnitCuts cuts(plan, shape.batch);
  const std::int64_t entries = shape.kernel[1] * shape.kernel[2];
  const KernelSet kernels = {
      weight, shape.out_channels, shape.in_channels, entries * shape.in_channels, entries, false};
  const UnitProduct product(plan, cuts, kernels, shape.in[1], shape.in[2], shape.padding[1]);
  const std::int64_t in_sample = shape.in_channels * shape.in_size();
  const std::int64_t out_size = shape.out_size();
  const std::int64_t out_sample = shape.out_channels * out_size;
  parallel_for(cuts.units(), [&](std::int64_t begin, std::int64_t end) {
    UnitProduct::Scratch scratch(product);
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const std::int64_t first = unit * plan.unit;
      const auto samples = static_cast<int>(std::min<std::int64_t>(plan.unit, shape.batch - first));
      float* out = y + first * out_sample;
      product.run(cuts.of(unit), x + first * in_sample, samples, bias, out, scratch);
      if (moments == nullptr) continue;
      for (std::int64_t plane = 0; plane < samples * shape.out_channels; ++plane)
        moments[first * shape.out_channels + plane] =
            plane_moments(out + plane * out_size, out_size);
    }
  });
}

void winograd_backward(const ConvShape& shape, const float* x, const float* weight,
                       const GradientSource& gradient, float* dx, float* dweight, float* dbias) {
  if (shape.batch == 0) {
    if (dweight != nullptr) std::fill_n(dweight, shape.taps() * shape.out_channels, 0.0f);
    if (dbias != nullptr) std::fill_n(dbias, shape.out_channels, 0.0f);
    return;
  }
  const std::int64_t in_sample = shape.in_channels * shape.in_size();
  const std::int64_t out_size = shape.out_size();
  const std::int64_t out_sample = shape.out_channels * out_size;
  TilePlan out_plan = plan_of(shape, shape.out(1), shape.out(2));
  TilePlan in_plan = plan_of(shape, shape.in[1], shape.in[2]);
  const int unit_size = common_unit(out_plan, in_plan);
  const UnitCuts out_cuts(out_plan, shape.batch);
  const UnitCuts in_cuts(in_plan, shape.batch);
  const std::int64_t units = out_cuts.units();

  std::optional<UnitProduct> product;
  if (dx != nullptr) {
    const std::int64_t entries = shape.kernel[1] * shape.kernel[2];
    const KernelSet kernels = {weight,  shape.in_channels,           shape.out_channels,
                               entries, entries * shape.in_channels, true};
    product.emplace(in_plan, in_cuts, kernels, shape.out(1), shape.out(2),
                    shape.kernel[1] - 1 - shape.padding[1]);
  }
  const UnitCorrelation correlation(out_plan, out_cuts, shape);
  const std::int64_t sums = dweight != nullptr ? correlation.sums() : 0;
  const std::int64_t parts =
      sum_parts(units, shape.batch * out_plan.down * out_plan.across, correlation.sums());
  const PartialSums partial(parts * sums);
  std::vector<double> bias_sums(static_cast<std::size_t>(parts * shape.out_channels), 0.0);

  parallel_for(parts, [&](std::int64_t begin, std::int64_t end) {
    std::optional<UnitProduct::Scratch> product_scratch;
    if (product) product_scratch.emplace(*product);
    std::optional<UnitCorrelation::Scratch> correlation_scratch;
    if (dweight != nullptr) correlation_scratch.emplace(correlation);
    const auto dy = cleared_floats(unit_size * out_sample);
    for (std::int64_t part = begin; part < end; ++part)
      for (std::int64_t unit = units * part / parts; unit < units * (part + 1) / parts; ++unit) {
        const std::int64_t first = unit * unit_size;
        const auto samples =
            static_cast<int>(std::min<std::int64_t>(unit_size, shape.batch - first));
        double* biases = bias_sums.data() + part * shape.out_channels;
        for (int i = 0; i < samples; ++i) {
          float* planes = dy.get() + i * out_sample;
          gradient(first + i, planes);
          for (int c = 0; c < shape.out_channels && dbias != nullptr; ++c)
            biases[c] += plane_sum(planes + c * out_size, out_size);
        }
        if (dweight != nullptr)
          correlation.add(out_cuts.of(unit), x + first * in_sample, dy.get(), samples,
                          unit == units * part / parts, *correlation_scratch,
                          partial.data() + part * sums);
        if (product)
          product->run(in_cuts.of(unit), dy.get(), samples, nullptr, dx + first * in_sample,
                       *product_scratch);
      }
  });

  if (dweight != nullptr) correlation.finish(partial.data(), static_cast<int>(parts), dweight);
  for (int c = 0; c < shape.out_channels && dbias != nullptr; ++c) {
    double total = 0.0;
    for (std::int64_t part = 0; part < parts; ++part)
      total += bias_sums[part * shape.out_channels + c];
    dbias[c] = static_cast<float>(total);
  }
}

}  // namespace algprior::kernel
