#pragma once

#include <vector>

namespace algprior::fluid {

/// The published generator's pressure solve: L p = div with L the five-point Laplacian with closed
/// walls, conjugate gradients in float32 from p = 0. All fields are [width][height], y fastest.
class PublishedPressure {
 public:
  PublishedPressure(int width, int height);

  /// The pressure of a divergence, whose mean is taken off in place; the number of iterations goes
  /// to `iterations`, which is kMaxIterations + 1 when there was no convergence.
  const std::vector<float>& solve(std::vector<float>& divergence, int& iterations);

  static constexpr int kMaxIterations = 1000;

 private:
  void apply_laplacian();

  int width_, height_;
  std::vector<float> pressure_, residual_, direction_, image_, zeros_;
};

}  // namespace algprior::fluid
