#pragma once

#include "algprior/mesh/refine.hpp"

#include <cmath>
#include <numbers>

namespace algprior::mesh {

/// The ellipsoid with half axes 1, 1, 3.
inline Mesh long_ellipsoid(int level) {
  Mesh mesh = make_icosphere(level);
  for (Point& p : mesh.vertices) p.z() *= 3.0;
  return mesh;
}

/// A ball with five soft limbs.
inline Mesh five_limbs(int level) {
  Mesh mesh = make_icosphere(level);
  const Point limbs[5] = {
      {1, 0, 0}, {-0.5, 0.8, 0.2}, {-0.4, -0.8, 0.4}, {0, 0.2, 1}, {0.1, 0, -1}};
  for (Point& p : mesh.vertices) {
    double radius = 1.0;
    for (const Point& limb : limbs) {
      radius += 0.8 * std::exp((p.dot(limb.normalized()) - 1.0) / (0.4 * 0.4));
    }
    p *= radius;
  }
  return mesh;
}

/// A torus of m×n quadrilaterals, each two faces.
inline Mesh torus(std::uint32_t m, std::uint32_t n) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < m; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const double a = 2 * std::numbers::pi * i / m, b = 2 * std::numbers::pi * j / n;
      mesh.vertices.emplace_back((2 + std::cos(b)) * std::cos(a), (2 + std::cos(b)) * std::sin(a),
                                 std::sin(b));
      const std::uint32_t p = i * n + j, q = (i + 1) % m * n + j, r = (i + 1) % m * n + (j + 1) % n,
                          s = i * n + (j + 1) % n;
      mesh.faces.push_back({p, q, r});
      mesh.faces.push_back({p, r, s});
    }
  }
  return mesh;
}

}  // namespace algprior::mesh
