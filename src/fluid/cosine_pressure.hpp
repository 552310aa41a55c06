#pragma once

#include <vector>

namespace algprior::fluid {

/// The cosine transform (DCT-II) of one length, X_k = Σ_i x_i cos(πk(i + ½)/n), and its inverse.
/// Opposite samples are added and subtracted first, so that reversing x changes the sign of the odd
/// X_k and not a bit besides. O(n²) a line.
class CosineTransform {
 public:
  explicit CosineTransform(int length);

  /// Transforms the slow axis of a field [length][lines].
  void forward(const std::vector<double>& in, int lines, std::vector<double>& out) const;
  void inverse(const std::vector<double>& in, int lines, std::vector<double>& out) const;

  /// 2 − 2 cos(πk/n): minus the eigenvalue of the second difference with closed ends.
  double eigenvalue(int k) const;

 private:
  int length_, half_;          // half_ counts the middle sample of an odd length
  std::vector<double> table_;  // [length][half_]
};

/// Solves L p = div exactly, L the five-point Laplacian of a closed box, fields [width][height]:
/// the p of mean 0. Each transform is taken in both orders of the axes and averaged, because one
/// order alone would round differently on the transposed field.
class CosinePressure {
 public:
  CosinePressure(int width, int height);
  const std::vector<double>& solve(const std::vector<double>& divergence);

 private:
  template <class Pass>
  void both_orders(std::vector<double>& field, Pass pass);

  int width_, height_;
  CosineTransform along_x_, along_y_;
  std::vector<double> field_, other_, first_, second_;
};

}  // namespace algprior::fluid
