#include "unfold.hpp"

#include "algprior/mesh/sphere_map.hpp"

#include <Eigen/Geometry>

namespace algprior::mesh {
namespace {

bool is_folded(const std::vector<Point>& vertices, const Face& face) {
  return !(vertices[face[0]].dot(vertices[face[1]].cross(vertices[face[2]])) > 0.0);
}

}  // namespace

std::size_t unfold(std::vector<Point>& vertices, const std::vector<Face>& faces, int sweeps) {
  std::vector<std::vector<std::uint32_t>> around(vertices.size());
  for (const auto& [a, b, c] : faces) {
    around[a].push_back(b);
    around[b].push_back(c);
    around[c].push_back(a);
  }
  // On a closed manifold each neighbour of v is the successor of v in exactly one face. Vertices
  // that were moved once stay free: a fold is often too tight for its own vertices alone.
  std::vector<bool> free(vertices.size(), false);
  std::size_t folded = count_flips(vertices, faces);
  for (int sweep = 0; sweep < sweeps && folded > 0; ++sweep) {
    const bool widen = sweep % 20 == 0;
    for (const Face& face : faces) {
      if (!is_folded(vertices, face)) continue;
      for (const std::uint32_t corner : face) {
        free[corner] = true;
        if (widen && sweep > 0) {
          for (const std::uint32_t neighbour : around[corner]) free[neighbour] = true;
        }
      }
    }
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      if (!free[v]) continue;
      Point mean = Point::Zero();
      for (const std::uint32_t neighbour : around[v]) mean += vertices[neighbour];
      if (mean.norm() > 1e-12) vertices[v] = mean.normalized();
    }
    folded = count_flips(vertices, faces);
  }
  return folded;
}

}  // namespace algprior::mesh
