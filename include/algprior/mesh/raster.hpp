#pragma once

#include "algprior/mesh/sphere_grid.hpp"

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace algprior::mesh {

/// Which triangle of a sphere mesh a direction meets, and the barycentric weights there (≥ 0, sum
/// 1).
struct SphereHit {
  std::uint32_t face = 0;
  std::array<double, 3> weights{};
};

/// Finds the triangles of a mesh on the unit sphere. It walks from the last hit over sides towards
/// the direction asked for, so that neighbouring questions cost a few dozen multiplications; where
/// the walk does not arrive (folds), all faces are searched, and if none contains the direction the
/// one with the largest smallest weight is taken, weights clipped. For one thread.
class SphereLocator {
 public:
  /// `neighbours` as of face_neighbours(faces); all must outlive the locator.
  SphereLocator(const std::vector<Point>& vertices, const std::vector<Face>& faces,
                const std::vector<std::array<std::uint32_t, 3>>& neighbours);

  SphereHit locate(const Point& direction);

 private:
  std::array<double, 3> weights_of(std::uint32_t face, const Point& direction) const;
  SphereHit search(const Point& direction) const;

  const std::vector<std::array<std::uint32_t, 3>>& neighbours_;
  std::vector<std::array<Point, 3>> normals_;  // (b×c, c×a, a×b)/det(a,b,c); zero for flat faces
  std::uint32_t last_ = 0;
};

/// A function on a sphere mesh, given by a row of channels a vertex, sampled at directions: channel
/// after channel, `directions.size()` numbers each. Throws InputError when shapes do not fit.
void sample_on_sphere(const std::vector<Point>& vertices, const std::vector<Face>& faces,
                      const std::vector<std::array<std::uint32_t, 3>>& neighbours,
                      const Eigen::MatrixXf& signal, const std::vector<Point>& directions,
                      std::span<float> out);

/// As above on a grid: C·cells numbers, channels first.
std::vector<float> raster_on_sphere(const std::vector<Point>& vertices,
                                    const std::vector<Face>& faces, const Eigen::MatrixXf& signal,
                                    const SphereGrid& grid);

}  // namespace algprior::mesh
