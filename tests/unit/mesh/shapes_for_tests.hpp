#pragma once

#include "algprior/mesh/refine.hpp"

#include <cmath>

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

}  // namespace algprior::mesh
