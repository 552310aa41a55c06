#include "algprior/mesh/refine.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace algprior::mesh {
namespace {

constexpr std::array<std::array<double, 3>, 12> kIcosahedron{{
    {-1, std::numbers::phi, 0},
    {1, std::numbers::phi, 0},
    {-1, -std::numbers::phi, 0},
    {1, -std::numbers::phi, 0},
    {0, -1, std::numbers::phi},
    {0, 1, std::numbers::phi},
    {0, -1, -std::numbers::phi},
    {0, 1, -std::numbers::phi},
    {std::numbers::phi, 0, -1},
    {std::numbers::phi, 0, 1},
    {-std::numbers::phi, 0, -1},
    {-std::numbers::phi, 0, 1},
}};
constexpr std::array<Face, 20> kIcosahedronFaces{{
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
}};

void halve_edges(RefinedMesh& refined) {
  Mesh& mesh = refined.mesh;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> midpoints;
  const auto midpoint = [&](std::uint32_t a, std::uint32_t b) {
    const auto [low, high] = std::minmax(a, b);
    const auto [entry, fresh] =
        midpoints.try_emplace({low, high}, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (fresh) {
      mesh.vertices.push_back(0.5 * (mesh.vertices[low] + mesh.vertices[high]));
      refined.parents.push_back({low, high});
    }
    return entry->second;
  };
  std::vector<Face> faces;
  faces.reserve(4 * mesh.faces.size());
  for (const auto& [a, b, c] : mesh.faces) {
    const std::uint32_t ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
    faces.insert(faces.end(),
                 {Face{a, ab, ca}, Face{b, bc, ab}, Face{c, ca, bc}, Face{ab, bc, ca}});
  }
  mesh.faces = std::move(faces);
}

}  // namespace

Eigen::MatrixXd RefinedMesh::extend(const Eigen::MatrixXd& values) const {
  const auto all = static_cast<Eigen::Index>(mesh.vertices.size());
  const auto first = all - static_cast<Eigen::Index>(parents.size());
  if (values.rows() != first) {
    throw InputError({"values do not fit the mesh that was refined",
                      fmt::format("{} rows", values.rows()), fmt::format("{} rows", first), ""});
  }
  Eigen::MatrixXd extended(all, values.cols());
  extended.topRows(first) = values;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    extended.row(first + static_cast<Eigen::Index>(i)) =
        0.5 * (extended.row(parents[i][0]) + extended.row(parents[i][1]));
  }
  return extended;
}

RefinedMesh refine(const Mesh& mesh, int levels) {
  check(mesh);
  const double faces = static_cast<double>(mesh.faces.size()) * std::pow(4.0, levels);
  // Vertices are counted in 32 bits; a face brings three corners and half a vertex.
  constexpr double kMostFaces = 4e9, kBytes = 100;
  if (levels < 0 || faces > kMostFaces) {
    throw InputError({"a mesh cannot be refined so often",
                      fmt::format("{} faces, {} times", mesh.faces.size(), levels),
                      "0 times or more, up to 4e9 faces", ""});
  }
  check_memory(kBytes * faces, "a refined mesh",
               fmt::format("{} faces, {} times", mesh.faces.size(), levels));
  RefinedMesh refined{mesh, {}};
  for (int level = 0; level < levels; ++level) halve_edges(refined);
  return refined;
}

Mesh make_icosphere(int level) {
  if (level < 0 || level > 8) {
    throw InputError({"an icosphere cannot have this level", fmt::format("{}", level), "0 to 8",
                      "3 has 642 vertices, 4 has 2562"});
  }
  RefinedMesh sphere;
  for (const auto& [x, y, z] : kIcosahedron)
    sphere.mesh.vertices.push_back(Point(x, y, z).normalized());
  sphere.mesh.faces.assign(kIcosahedronFaces.begin(), kIcosahedronFaces.end());
  for (int i = 0; i < level; ++i) {
    halve_edges(sphere);
    for (Point& vertex : sphere.mesh.vertices) vertex.normalize();
  }
  return std::move(sphere.mesh);
}

}  // namespace algprior::mesh
