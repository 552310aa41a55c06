#include "cosine_pressure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace algprior::fluid {
namespace {

/// [rows][columns] to [columns][rows].
void transpose(const std::vector<double>& in, int rows, int columns, std::vector<double>& out) {
  out.resize(in.size());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      out[static_cast<std::size_t>(c) * rows + r] = in[static_cast<std::size_t>(r) * columns + c];
    }
  }
}

}  // namespace

CosineTransform::CosineTransform(int length) : length_(length), half_((length + 1) / 2) {
  table_.resize(static_cast<std::size_t>(length_) * half_);
  for (int k = 0; k < length_; ++k) {
    for (int i = 0; i < half_; ++i) {
      // Reduced to one period, where cos is accurate; k(2i + 1) is an integer.
      const long turns = static_cast<long>(k) * (2 * i + 1) % (4L * length_);
      table_[static_cast<std::size_t>(k) * half_ + i] =
          std::cos(std::numbers::pi * static_cast<double>(turns) / (2.0 * length_));
    }
  }
}

double CosineTransform::eigenvalue(int k) const {
  const double sine = std::sin(std::numbers::pi * k / (2.0 * length_));
  return 4.0 * sine * sine;
}

void CosineTransform::forward(const std::vector<double>& in, int lines,
                              std::vector<double>& out) const {
  const std::size_t line = static_cast<std::size_t>(lines);
  // Even part in the first half_ rows, odd part in the rest; the middle has no partner.
  std::vector<double> folded(2 * half_ * line);
  for (int i = 0; i < half_; ++i) {
    const double* low = in.data() + i * line;
    const double* high = in.data() + (length_ - 1 - i) * line;
    const bool middle = i == length_ - 1 - i;
    for (std::size_t j = 0; j < line; ++j) {
      folded[i * line + j] = middle ? low[j] : low[j] + high[j];
      folded[(half_ + i) * line + j] = middle ? 0.0 : low[j] - high[j];
    }
  }
  out.assign(length_ * line, 0.0);
  for (int k = 0; k < length_; ++k) {
    double* target = out.data() + k * line;
    for (int i = 0; i < half_; ++i) {
      const double factor = table_[static_cast<std::size_t>(k) * half_ + i];
      const double* source = folded.data() + (k % 2 == 0 ? i : half_ + i) * line;
      for (std::size_t j = 0; j < line; ++j) target[j] += factor * source[j];
    }
  }
}

void CosineTransform::inverse(const std::vector<double>& in, int lines,
                              std::vector<double>& out) const {
  const std::size_t line = static_cast<std::size_t>(lines);
  out.resize(length_ * line);
  std::vector<double> even(line), odd(line);
  for (int i = 0; i < half_; ++i) {
    std::fill(even.begin(), even.end(), 0.0);
    std::fill(odd.begin(), odd.end(), 0.0);
    for (int k = 0; k < length_; ++k) {
      const double weight = (k == 0 ? 1.0 : 2.0) / length_;
      const double factor = weight * table_[static_cast<std::size_t>(k) * half_ + i];
      const double* source = in.data() + k * line;
      double* target = k % 2 == 0 ? even.data() : odd.data();
      for (std::size_t j = 0; j < line; ++j) target[j] += factor * source[j];
    }
    const bool middle = i == length_ - 1 - i;
    for (std::size_t j = 0; j < line; ++j) {
      out[i * line + j] = middle ? even[j] : even[j] + odd[j];
      if (!middle) out[(length_ - 1 - i) * line + j] = even[j] - odd[j];
    }
  }
}

CosinePressure::CosinePressure(int width, int height)
    : width_(width), height_(height), along_x_(width), along_y_(height) {}

template <class Pass>
void CosinePressure::both_orders(std::vector<double>& field, Pass pass) {
  pass(along_x_, field, height_, first_);
  transpose(first_, width_, height_, other_);
  pass(along_y_, other_, width_, first_);  // [height][width]
  transpose(field, width_, height_, other_);
  pass(along_y_, other_, width_, second_);
  transpose(second_, height_, width_, other_);
  pass(along_x_, other_, height_, second_);  // [width][height]
  transpose(first_, height_, width_, other_);
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = 0.5 * (other_[i] + second_[i]);
}

const std::vector<double>& CosinePressure::solve(const std::vector<double>& divergence) {
  field_ = divergence;
  both_orders(field_, [](const CosineTransform& transform, const std::vector<double>& in, int lines,
                         std::vector<double>& out) { transform.forward(in, lines, out); });
  for (int k = 0; k < width_; ++k) {
    for (int l = 0; l < height_; ++l) {
      double& mode = field_[static_cast<std::size_t>(k) * height_ + l];
      mode = k + l == 0 ? 0.0 : -mode / (along_x_.eigenvalue(k) + along_y_.eigenvalue(l));
    }
  }
  both_orders(field_, [](const CosineTransform& transform, const std::vector<double>& in, int lines,
                         std::vector<double>& out) { transform.inverse(in, lines, out); });
  return field_;
}

}  // namespace algprior::fluid
