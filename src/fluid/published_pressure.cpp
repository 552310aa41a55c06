// Every operation here is one IEEE float32 operation in the order written: the build compiles this
// file without fused or reassociated arithmetic.
#include "published_pressure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace algprior::fluid {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kBlock = 128;
constexpr float kTolerance = 1e-5f;

/// Σ term(i) over [start, start + count) in NumPy's pairwise order: halves down to blocks of 128,
/// in which eight running sums take every eighth term.
template <class Term>
float pairwise_sum(const Term& term, std::size_t start, std::size_t count) {
  if (count > kBlock) {
    const std::size_t half = count / 2 - (count / 2) % kLanes;
    return pairwise_sum(term, start, half) + pairwise_sum(term, start + half, count - half);
  }
  const std::size_t whole = count - count % kLanes;
  float sum = 0.0f;
  if (whole > 0) {
    std::array<float, kLanes> lanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = term(start + lane);
    for (std::size_t i = kLanes; i < whole; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(start + i + lane);
    }
    sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
          ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }
  for (std::size_t i = whole; i < count; ++i) sum += term(start + i);
  return sum;
}

float sum_of(const std::vector<float>& values) {
  const float* data = values.data();
  return pairwise_sum([data](std::size_t i) { return data[i]; }, 0, values.size());
}

float dot(const std::vector<float>& left, const std::vector<float>& right) {
  const float *a = left.data(), *b = right.data();
  return pairwise_sum([a, b](std::size_t i) { return a[i] * b[i]; }, 0, left.size());
}

}  // namespace

PublishedPressure::PublishedPressure(int width, int height)
    : width_(width), height_(height), zeros_(static_cast<std::size_t>(height), 0.0f) {
  const std::size_t cells = static_cast<std::size_t>(width) * height;
  for (auto* field : {&pressure_, &residual_, &direction_, &image_}) field->resize(cells);
}

/// image = L direction. A neighbour that a wall hides is left out: adding a zero is the same.
void PublishedPressure::apply_laplacian() {
  const int last = height_ - 1;
  for (int x = 0; x < width_; ++x) {
    const std::size_t column = static_cast<std::size_t>(x) * height_;
    const float* here = direction_.data() + column;
    const float* left = x > 0 ? here - height_ : zeros_.data();
    const float* right = x + 1 < width_ ? here + height_ : zeros_.data();
    float* out = image_.data() + column;
    const float sides = static_cast<float>((x > 0) + (x + 1 < width_));
    const float corner = sides + 1.0f;
    const float inner = sides + 2.0f;
    out[0] = ((left[0] - corner * here[0]) + here[1]) + right[0];
    for (int y = 1; y < last; ++y) {
      out[y] = (((left[y] + here[y - 1]) - inner * here[y]) + here[y + 1]) + right[y];
    }
    out[last] = ((left[last] + here[last - 1]) - corner * here[last]) + right[last];
  }
}

const std::vector<float>& PublishedPressure::solve(std::vector<float>& divergence,
                                                   int& iterations) {
  const std::size_t cells = divergence.size();
  const float mean = sum_of(divergence) / static_cast<float>(cells);
  for (float& value : divergence) value -= mean;

  std::fill(pressure_.begin(), pressure_.end(), 0.0f);
  residual_ = divergence;
  direction_ = divergence;
  apply_laplacian();
  float squares = dot(residual_, residual_);
  const float enough = kTolerance * kTolerance * squares;
  for (iterations = 0; squares > enough; ++iterations) {
    if (iterations == kMaxIterations) break;
    const float curvature = dot(direction_, image_);
    const float step = dot(direction_, residual_) / curvature;
    for (std::size_t i = 0; i < cells; ++i) {
      pressure_[i] += step * direction_[i];
      residual_[i] -= step * image_[i];
    }
    squares = dot(residual_, residual_);
    const float mixed = dot(residual_, image_);
    for (std::size_t i = 0; i < cells; ++i) {
      direction_[i] = residual_[i] - (mixed * direction_[i]) / curvature;
    }
    apply_laplacian();
  }
  // Squares that overflowed compare as small enough.
  if (!std::isfinite(squares) || squares > enough) iterations = kMaxIterations + 1;
  return pressure_;
}

}  // namespace algprior::fluid
