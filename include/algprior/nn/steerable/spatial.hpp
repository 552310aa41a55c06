#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

namespace algprior::steerable {

enum class SpatialKind {
  rings,  ///< Gaussian rings times circular or spherical harmonics
  pixels  ///< every pixel of the kernel by itself; for groups that permute pixels
};

struct SpatialOptions {
  int axes = 2;
  int kernel = 3;  ///< odd
  SpatialKind kind = SpatialKind::rings;
  int highest = -1;  ///< highest frequency of a harmonic; −1: as high as the kernel can tell apart
};

/// Functions on the kernel's points that the group mixes among themselves, in as many copies as
/// there are rings to carry them.
struct SpatialBlock {
  int frequency = -1;  ///< −1 for pixels
  Eigen::Index functions = 1;
  std::vector<Eigen::MatrixXd> samples;  ///< a ring each: functions × k^d, the last axis fastest
};

/// The space of functions that kernels are made of. A point is (x, y) or (x, y, z), x along the
/// last axis of a tensor, measured from the kernel's centre.
struct SpatialBasis {
  SpatialOptions options;
  std::vector<SpatialBlock> blocks;

  Eigen::Index points() const { return blocks.front().samples.front().cols(); }
  std::size_t functions() const;
};

/// Rings r = 0, 1, …, (k−1)/2 with profile exp(−(|x|−r)²/2σ²), σ = 0.6, the last 0.4, the centre a
/// point; ring 0 carries a constant, ring r harmonics up to 2r (2r−1 for even r), the last up to 2.
/// So 3×3 has 6 functions, 5×5 11, 7×7 18; in space 10, 19, 35. Throws InputError for an even
/// kernel or one above 63, and for a kernel too small for `highest`.
SpatialBasis make_spatial_basis(const SpatialOptions& options);

/// The real harmonics of one frequency at points (a column each), orthonormal so that
/// Σ_m Y_m(x)² is constant on the sphere: 1, or cos ft and sin ft in the plane, 2f+1 in space.
/// Zero at the origin for f > 0.
Eigen::MatrixXd harmonics(int axes, int frequency, const Eigen::MatrixXd& points);

/// S with φ_m(M⁻¹x) = Σ_n φ_n(x) S_{nm} for the functions of a block and an orthogonal matrix M.
/// Throws InputError for pixels that M does not permute.
Eigen::MatrixXd spatial_action(const SpatialBasis& basis, const SpatialBlock& block,
                               const Eigen::MatrixXd& matrix);

}  // namespace algprior::steerable
