#pragma once

#include "algprior/mesh/mesh.hpp"

#include <array>
#include <vector>

#include <Eigen/Core>

namespace algprior::mesh {

/// A mesh whose edges were halved: the first vertices are those of the given mesh, each further one
/// is the midpoint of two earlier ones. The surface is the same.
struct RefinedMesh {
  Mesh mesh;
  std::vector<std::array<std::uint32_t, 2>> parents;  ///< of the further vertices, in their order

  /// Values at the vertices of the given mesh carried to all vertices, linearly.
  Eigen::MatrixXd extend(const Eigen::MatrixXd& values) const;
};

/// Each face into four, `levels` times. O(F log F). Throws InputError for a mesh that fails check()
/// or a negative number, LimitError for a mesh that memory cannot hold.
RefinedMesh refine(const Mesh& mesh, int levels);

/// The sphere by halving the edges of an icosahedron `level` times and pushing the midpoints out:
/// 10·4^level + 2 vertices, radius 1. Throws InputError unless 0 ≤ level ≤ 8.
Mesh make_icosphere(int level);

}  // namespace algprior::mesh
