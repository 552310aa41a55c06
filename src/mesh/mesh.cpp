#include "algprior/mesh/mesh.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

double area_of(const Mesh& mesh, const Face& face) {
  const Point& a = mesh.vertices[face[0]];
  return 0.5 * (mesh.vertices[face[1]] - a).cross(mesh.vertices[face[2]] - a).norm();
}

struct Side {
  std::uint32_t low, high, face, side;
};

}  // namespace

void check(const Mesh& mesh) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (!mesh.vertices[v].allFinite()) {
      throw InputError({"a coordinate is not a finite number", fmt::format("vertex {}", v),
                        "three finite coordinates", "repair the mesh"});
    }
  }
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (const std::uint32_t corner : mesh.faces[f]) {
      if (corner >= mesh.vertices.size()) {
        throw InputError({"a face names a vertex that does not exist",
                          fmt::format("face {}: vertex {}", f, corner),
                          fmt::format("an index below {}", mesh.vertices.size()),
                          "repair the mesh"});
      }
    }
  }
}

std::vector<double> face_areas(const Mesh& mesh) {
  std::vector<double> areas;
  areas.reserve(mesh.faces.size());
  for (const Face& face : mesh.faces) areas.push_back(area_of(mesh, face));
  return areas;
}

double total_area(const Mesh& mesh) {
  double total = 0.0;
  for (const Face& face : mesh.faces) total += area_of(mesh, face);
  return total;
}

double signed_volume(const Mesh& mesh) {
  double volume = 0.0;
  for (const auto& [a, b, c] : mesh.faces) {
    volume += mesh.vertices[a].dot(mesh.vertices[b].cross(mesh.vertices[c])) / 6.0;
  }
  return volume;
}

Point area_centroid(const Mesh& mesh) {
  Point centroid = Point::Zero();
  double total = 0.0;
  for (const Face& face : mesh.faces) {
    const double area = area_of(mesh, face);
    const auto& [a, b, c] = face;
    centroid += area / 3.0 * (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]);
    total += area;
  }
  return total > 0.0 ? Point(centroid / total) : Point(Point::Zero());
}

Mesh scaled_to_area(Mesh mesh, double area) {
  check(mesh);
  if (!(area > 0.0) || !std::isfinite(area)) {
    throw InputError({"a mesh cannot be scaled to this area", fmt::format("{}", area),
                      "a positive finite area", ""});
  }
  const double own = total_area(mesh);
  if (!(own > 0.0) || !std::isfinite(own)) {
    throw InputError({"the mesh has no area that could be scaled", fmt::format("area {}", own),
                      "a positive finite area", "repair the mesh"});
  }
  const double factor = std::sqrt(area / own);
  for (Point& vertex : mesh.vertices) vertex *= factor;
  return mesh;
}

std::vector<std::array<std::uint32_t, 3>> face_neighbours(const std::vector<Face>& faces) {
  std::vector<Side> sides;
  sides.reserve(3 * faces.size());
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax(faces[f][(i + 1) % 3], faces[f][(i + 2) % 3]);
      sides.push_back({low, high, f, i});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
  });
  std::vector<std::array<std::uint32_t, 3>> neighbours(faces.size(), {kNoFace, kNoFace, kNoFace});
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Side &a = sides[i], &b = sides[i + 1];
    if (a.low != b.low || a.high != b.high) continue;
    neighbours[a.face][a.side] = b.face;
    neighbours[b.face][b.side] = a.face;
    ++i;
  }
  return neighbours;
}

}  // namespace algprior::mesh
