#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// How faces of H×W cells are padded by one cell from what lies around them: for every cell of the
/// padded faces, F·(H+2)·(W+2) in order, the two cells whose mean it takes.
class FacePadding {
 public:
  /// Throws InputError unless the table has that length, its cells exist, and cells inside a face
  /// stand for themselves.
  FacePadding(std::int64_t faces, std::int64_t height, std::int64_t width,
              const std::vector<std::array<std::uint32_t, 2>>& table);

  std::int64_t faces() const { return faces_; }
  std::int64_t height() const { return height_; }
  std::int64_t width() const { return width_; }
  const at::Tensor& sources() const { return sources_; }  ///< int64, 2×(padded cells)

 private:
  std::int64_t faces_, height_, width_;
  at::Tensor sources_;
};

/// x, the faces of each sample one after the other in the batch, (N·F)×C×H×W, with every face
/// padded: (N·F)×C×(H+2)×(W+2), ready for a 3×3 convolution without padding. On any device,
/// differentiable; norm_faces() (face_norm.hpp) pads faster. Throws InputError when x has other
/// faces.
at::Tensor pad_faces(const at::Tensor& x, const FacePadding& padding);

}  // namespace algprior
