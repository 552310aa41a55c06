#include "algprior/mesh/topology.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// Whether the two were apart.
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// One face's run along an edge. `corner` is the place (3·face + i) of the corner at `from`.
struct Run {
  std::uint32_t low, high;
  bool upwards;
  std::uint32_t corner_low, corner_high;
};

std::vector<Run> runs_of(const std::vector<Face>& faces) {
  std::vector<Run> runs;
  runs.reserve(3 * faces.size());
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t j = (i + 1) % 3, a = faces[f][i], b = faces[f][j];
      if (a == b) continue;
      runs.push_back(a < b ? Run{a, b, true, 3 * f + i, 3 * f + j}
                           : Run{b, a, false, 3 * f + j, 3 * f + i});
    }
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return std::tie(a.low, a.high, a.corner_low) < std::tie(b.low, b.high, b.corner_low);
  });
  return runs;
}

bool lacks_area(const Mesh& mesh, const Face& face) {
  const Point a = mesh.vertices[face[1]] - mesh.vertices[face[0]];
  const Point b = mesh.vertices[face[2]] - mesh.vertices[face[0]];
  const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (a - b).squaredNorm()});
  // Relative to the triangle's own size, so that small meshes are judged like large ones.
  return !(a.cross(b).norm() > 1e-14 * longest);
}

}  // namespace

std::int64_t Topology::euler_characteristic() const {
  return static_cast<std::int64_t>(vertices) - static_cast<std::int64_t>(edges) +
         static_cast<std::int64_t>(faces);
}

bool Topology::is_closed_manifold() const {
  return faces > 0 && boundary_edges == 0 && crowded_edges == 0 && pinched_vertices == 0 &&
         disagreeing_edges == 0;
}

std::int64_t Topology::genus() const {
  return (2 * static_cast<std::int64_t>(components) - euler_characteristic()) / 2;
}

Topology inspect(const Mesh& mesh) {
  Topology result;
  result.faces = mesh.faces.size();
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const Face& face : mesh.faces) {
    for (const std::uint32_t corner : face) used[corner] = true;
    result.faces_without_area += lacks_area(mesh, face) ? 1 : 0;
  }
  result.vertices = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));

  DisjointSets components(mesh.vertices.size());
  // Corners of one vertex that are joined across edges: one class a vertex on a manifold.
  DisjointSets fans(3 * mesh.faces.size());
  result.components = result.vertices;
  std::size_t fan_count = 3 * mesh.faces.size();
  const std::vector<Run> runs = runs_of(mesh.faces);
  for (std::size_t start = 0, end = 0; start < runs.size(); start = end) {
    const Run& first = runs[start];
    while (end < runs.size() && runs[end].low == first.low && runs[end].high == first.high) ++end;
    ++result.edges;
    if (components.unite(first.low, first.high)) --result.components;
    if (end - start == 1) ++result.boundary_edges;
    if (end - start > 2) ++result.crowded_edges;
    if (end - start == 2 && first.upwards == runs[start + 1].upwards) ++result.disagreeing_edges;
    for (std::size_t i = start + 1; i < end; ++i) {
      if (fans.unite(first.corner_low, runs[i].corner_low)) --fan_count;
      if (fans.unite(first.corner_high, runs[i].corner_high)) --fan_count;
    }
  }
  result.pinched_vertices = fan_count > result.vertices ? fan_count - result.vertices : 0;
  return result;
}

std::string why_not_sphere(const Topology& topology) {
  if (topology.faces == 0) return "it has no faces";
  if (topology.boundary_edges > 0) {
    return fmt::format("{} edges have one face only: the surface is open", topology.boundary_edges);
  }
  if (topology.crowded_edges > 0) {
    return fmt::format("{} edges have more than two faces: not a manifold", topology.crowded_edges);
  }
  if (topology.disagreeing_edges > 0) {
    return fmt::format("the faces at {} edges disagree on which side is outside",
                       topology.disagreeing_edges);
  }
  if (topology.components != 1) return fmt::format("it has {} components", topology.components);
  if (topology.pinched_vertices > 0) {
    return fmt::format("the surface touches itself at {} vertices: not a manifold",
                       topology.pinched_vertices);
  }
  if (topology.genus() != 0) {
    return fmt::format("its genus is {} (Euler characteristic {})", topology.genus(),
                       topology.euler_characteristic());
  }
  return "";
}

CleanedMesh clean(const Mesh& mesh) {
  CleanedMesh result;
  const auto less = [](const Point& a, const Point& b) {
    return std::tie(a.x(), a.y(), a.z()) < std::tie(b.x(), b.y(), b.z());
  };
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return less(mesh.vertices[a], mesh.vertices[b]);
  });
  // Each vertex becomes the first one of its place.
  std::vector<std::uint32_t> place(mesh.vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && mesh.vertices[order[i]] == mesh.vertices[order[i - 1]];
    place[order[i]] = same ? place[order[i - 1]] : order[i];
    result.merged_vertices += same ? 1 : 0;
  }
  std::vector<std::uint32_t> number(mesh.vertices.size(), kNoFace);
  std::vector<Face> faces;
  for (const Face& face : mesh.faces) {
    const Face merged{place[face[0]], place[face[1]], place[face[2]]};
    if (merged[0] == merged[1] || merged[1] == merged[2] || merged[2] == merged[0]) {
      ++result.removed_faces;
      continue;
    }
    for (const std::uint32_t corner : merged) number[corner] = 0;
    faces.push_back(merged);
  }
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    if (number[v] == kNoFace) continue;
    number[v] = static_cast<std::uint32_t>(result.mesh.vertices.size());
    result.mesh.vertices.push_back(mesh.vertices[v]);
    result.origin.push_back(v);
  }
  for (Face& face : faces) {
    for (std::uint32_t& corner : face) corner = number[corner];
  }
  result.mesh.faces = std::move(faces);
  result.removed_vertices =
      mesh.vertices.size() - result.merged_vertices - result.mesh.vertices.size();
  return result;
}

}  // namespace algprior::mesh
