#pragma once

#include "algprior/mesh/mesh.hpp"

#include <string>

namespace algprior::mesh {

/// What a mesh is as a surface. Only vertices that a face uses count.
struct Topology {
  std::size_t vertices = 0;
  std::size_t edges = 0;
  std::size_t faces = 0;
  std::size_t components = 0;
  std::size_t boundary_edges = 0;      ///< in one face only
  std::size_t crowded_edges = 0;       ///< in three faces or more
  std::size_t pinched_vertices = 0;    ///< where the faces around a vertex are several fans
  std::size_t disagreeing_edges = 0;   ///< whose two faces run along it in the same direction
  std::size_t faces_without_area = 0;  ///< three corners on a line, or fewer than three

  /// χ = V − E + F.
  std::int64_t euler_characteristic() const;
  /// Whether every edge has two faces, every vertex one fan, and all faces agree on the outside.
  bool is_closed_manifold() const;
  /// Σ over components of the number of handles, (2·components − χ)/2; of closed manifolds only.
  std::int64_t genus() const;
};

/// O(F log F). The mesh must pass check().
Topology inspect(const Mesh& mesh);

/// Why the surface is not a topological sphere ("3 components", "genus 1", "12 edges have one face
/// only: the surface is open"), or "" when it is one.
std::string why_not_sphere(const Topology& topology);

/// A mesh without what means nothing: vertices at exactly the same place merged, faces that have
/// two corners in one place removed, vertices of no face removed.
struct CleanedMesh {
  Mesh mesh;
  std::vector<std::uint32_t> origin;  ///< which vertex of the given mesh each vertex was
  std::size_t merged_vertices = 0;
  std::size_t removed_faces = 0;
  std::size_t removed_vertices = 0;
};
CleanedMesh clean(const Mesh& mesh);

}  // namespace algprior::mesh
