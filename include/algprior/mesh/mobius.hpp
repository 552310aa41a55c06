#pragma once

#include "algprior/base/random.hpp"
#include "algprior/mesh/mesh.hpp"

#include <complex>
#include <vector>

#include <Eigen/Core>

namespace algprior::mesh {

/// A Möbius transformation of the unit sphere that keeps orientation: x ↦ R·ι_c(x) with
/// ι_c(x) = (1−|c|²)(x+c)/|x+c|² + c, |c| < 1, and a rotation R. Its linear scale factor at x is
/// (1−|c|²)/|x+c|². Every orientation-preserving Möbius transformation is of this form.
struct Mobius {
  Point centre = Point::Zero();                            ///< c
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< R

  /// The image of a point of the sphere, normalised. Throws InputError unless |c| < 1.
  Point operator()(const Point& x) const;
  std::vector<Point> operator()(std::vector<Point> points) const;
};

/// A rotation drawn by Haar's measure (a normalised Gaussian quaternion).
Eigen::Matrix3d random_rotation(RandomStream& random);

/// A rotation by Haar's measure after an inversion whose |c| is uniform on [0, largest]. Throws
/// InputError unless 0 ≤ largest < 1.
Mobius random_mobius(RandomStream& random, double largest);

/// The complex 2×2 matrix (a b; c d), ad − bc = 1, of the Möbius transformation that comes nearest
/// to mapping each point of `from` to its partner in `to`, in the coordinate z = tan(φ/2)e^{−iθ}
/// (north pole 0): the smallest right singular vector of the rows [−z₁, −1, z₁z₂, z₂], written in
/// homogeneous coordinates so that no place of the sphere weighs more than another. `deviance` is
/// the mean great-circle distance that remains. Throws InputError for fewer than 3 pairs.
struct MobiusFit {
  Eigen::Matrix2cd matrix;
  double deviance = 0.0;
};
MobiusFit fit_mobius(const std::vector<Point>& from, const std::vector<Point>& to);

/// z = tan(φ/2)e^{−iθ}, infinite at the south pole, and its inverse.
std::complex<double> to_plane(const Point& point);
Point to_sphere(std::complex<double> z);

}  // namespace algprior::mesh
