#include "winograd_unit.hpp"

#include "winograd_product.hpp"

#include <algorithm>
#include <cstring>

namespace algprior::kernel {
namespace {

// A vector behind each point, where transforms may write past the last lane, keeps points of
// power-of-two sizes off each other's cache sets too.
std::int64_t point_size(int channels, int pitch) {
  return std::int64_t{channels} * pitch + kProductWidth;
}

int largest_pitch(const std::vector<TileBlock>& blocks) {
  int pitch = 0;
  for (const auto& block : blocks) pitch = std::max(pitch, block.pitch);
  return pitch;
}

}  // namespace

AlignedFloats cleared_floats(std::int64_t count) {
  auto floats =
      hwy::AllocateAligned<float>(static_cast<std::size_t>(std::max<std::int64_t>(1, count)));
  std::memset(floats.get(), 0, sizeof(float) * static_cast<std::size_t>(count));
  return floats;
}

UnitCuts::UnitCuts(const TilePlan& plan, std::int64_t batch)
    : units_((batch + plan.unit - 1) / plan.unit),
      whole_(cut_unit(plan, plan.unit)),
      last_(cut_unit(plan, static_cast<int>(batch - (units_ - 1) * plan.unit))),
      pitch_(std::max(largest_pitch(whole_), largest_pitch(last_))) {}

UnitProduct::UnitProduct(const TilePlan& plan, const UnitCuts& cuts, const KernelSet& kernels,
                         int in_height, int in_width, int padding)
    : plan_(plan),
      channels_(kernels.channels),
      terms_(kernels.terms),
      reader_(plan, TileReader::Transform::input, terms_, in_height, in_width, padding),
      writer_(plan, channels_),
      point_size_(point_size(std::max(channels_, terms_), cuts.pitch())),
      packed_(cleared_floats(packed_points_size(plan.filtering(), channels_, terms_))) {
  pack_points(plan.filtering(), kernels, packed_.get());
}

// Products of a point replace the transformed input of the point before: one point more.
UnitProduct::Scratch::Scratch(const UnitProduct& product)
    : reader(product.reader_),
      writer(product.writer_),
      read(cleared_floats(reader.scratch_size())),
      written(cleared_floats(writer.scratch_size())),
      points(cleared_floats((product.plan_.points() + 1) * product.point_size_)) {}

void UnitProduct::run(const std::vector<TileBlock>& blocks, const float* x, int samples,
                      const float* bias, float* y, Scratch& scratch) const {
  scratch.reader.start(x, samples, scratch.read.get());
  float* products = scratch.points.get();
  float* transformed = products + point_size_;
  PointProduct product;
  product.terms = terms_;
  product.channels = channels_;
  for (const auto& block : blocks) {
    scratch.reader.read(block, transformed, point_size_);
    product.in_stride = block.pitch;
    product.out_stride = block.pitch;
    product.width = block.lanes;
    for (int point = 0; point < plan_.points(); ++point) {
      product.in = transformed + point * point_size_;
      product.out = products + point * point_size_;
      product.weights = packed_.get() + std::int64_t{point} * channels_ * terms_;
      multiply_point(product);
    }
    scratch.writer.write(block, products, point_size_, bias, y, scratch.written.get());
  }
  scratch.writer.finish(samples, y, scratch.written.get());
}

UnitCorrelation::UnitCorrelation(const TilePlan& plan, const UnitCuts& cuts, const ConvShape& shape)
    : plan_(plan),
      input_(plan, TileReader::Transform::input, shape.in_channels, shape.in[1], shape.in[2],
             shape.padding[1]),
      gradient_(plan, TileReader::Transform::gradient, shape.out_channels, plan.height, plan.width,
                0),
      input_size_(point_size(shape.in_channels, cuts.pitch())),
      gradient_size_(point_size(shape.out_channels, cuts.pitch())),
      pitch_(cuts.pitch()) {
  const auto whole = [](int channels) {
    return (channels + kProductWidth - 1) / kProductWidth * kProductWidth;
  };
  turned_ = std::int64_t{shape.in_channels} * whole(shape.out_channels) <
            std::int64_t{shape.out_channels} * whole(shape.in_channels);
  left_ = turned_ ? shape.in_channels : shape.out_channels;
  right_ = turned_ ? shape.out_channels : shape.in_channels;
  width_ = whole(right_);
}

UnitCorrelation::Scratch::Scratch(const UnitCorrelation& c)
    : input(c.input_),
      gradient(c.gradient_),
      read_input(cleared_floats(input.scratch_size())),
      read_gradient(cleared_floats(gradient.scratch_size())),
      inputs(cleared_floats(c.plan_.points() * c.input_size_)),
      gradients(cleared_floats(c.plan_.points() * c.gradient_size_)),
      panel(cleared_floats(std::int64_t{c.pitch_} * c.width_)) {}

void UnitCorrelation::add(const std::vector<TileBlock>& blocks, const float* x, const float* dy,
                          int samples, bool fresh, Scratch& scratch, float* sums) const {
  scratch.input.start(x, samples, scratch.read_input.get());
  scratch.gradient.start(dy, samples, scratch.read_gradient.get());
  const float* left = turned_ ? scratch.inputs.get() : scratch.gradients.get();
  const float* right = turned_ ? scratch.gradients.get() : scratch.inputs.get();
  const std::int64_t left_size = turned_ ? input_size_ : gradient_size_;
  const std::int64_t right_size = turned_ ? gradient_size_ : input_size_;
  PointCorrelation correlation;
  correlation.right = scratch.panel.get();
  correlation.right_stride = width_;
  correlation.channels = left_;
  correlation.width = width_;
  correlation.sums_stride = width_;
  correlation.fresh = fresh;
  for (const auto& block : blocks) {
    scratch.input.read(block, scratch.inputs.get(), input_size_);
    scratch.gradient.read(block, scratch.gradients.get(), gradient_size_);
    correlation.left_stride = block.pitch;
    correlation.terms = block.tiles;
    for (int point = 0; point < plan_.points(); ++point) {
      transpose(right + point * right_size, block.pitch, right_, block.tiles, scratch.panel.get(),
                width_);
      correlation.left = left + point * left_size;
      correlation.sums = sums + point * point_sums();
      correlate_point(correlation);
    }
    correlation.fresh = false;
  }
}

void UnitCorrelation::finish(const float* sums, int parts, float* dweight) const {
  const std::int64_t entries = std::int64_t{plan_.kernel} * plan_.kernel;
  const std::int64_t of_output = entries * (turned_ ? left_ : right_);
  finish_points(plan_.filtering(), {sums, parts, left_, right_, width_},
                turned_ ? entries : of_output, turned_ ? of_output : entries, dweight);
}

}  // namespace algprior::kernel
