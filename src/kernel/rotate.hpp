#pragma once

#include <cstddef>

namespace algprior::kernel {

/// A plane with a border of zeros, so that a bilinear sample just outside needs no test.
struct BorderedPlane {
  BorderedPlane(int height_, int width_)
      : height(height_), width(width_), pitch((width_ + 15) / 16 * 16 + 16) {}

  /// Position of pixel (0, 0).
  std::size_t origin() const { return static_cast<std::size_t>(pitch) + 1; }
  std::size_t size() const { return static_cast<std::size_t>(pitch) * (height + 4); }

  int height;
  int width;
  int pitch;
};

/// out(i, j) = in sampled at (cosθ·u − sinθ·v, sinθ·u + cosθ·v), u and v measured from the centre.
/// Both point at pixel (0, 0) of a bordered plane; the border of `out` is not touched, except that
/// columns behind a row are set to zero.
void rotate_plane(const BorderedPlane& plane, const float* in, float cosine, float sine,
                  float* out);

}  // namespace algprior::kernel
