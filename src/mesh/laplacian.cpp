#include "algprior/mesh/laplacian.hpp"

#include <algorithm>

#include <Eigen/Geometry>

namespace algprior::mesh {
namespace {

constexpr double kLargestCotangent = 1e5;

double cotangent(const Point& a, const Point& b) {
  const double sine = a.cross(b).norm(), cosine = a.dot(b);
  // A face without area has no angles; what it would add is cut at the same bound.
  if (!(sine > 0.0)) return cosine > 0.0 ? kLargestCotangent : -kLargestCotangent;
  return std::clamp(cosine / sine, -kLargestCotangent, kLargestCotangent);
}

SparseMatrix assemble(const Mesh& mesh, const std::vector<Eigen::Triplet<double>>& entries) {
  const auto n = static_cast<Eigen::Index>(mesh.vertices.size());
  SparseMatrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

SparseMatrix cotangent_laplacian(const Mesh& mesh) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(12 * mesh.faces.size());
  for (const Face& face : mesh.faces) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto apex = face[i], a = face[(i + 1) % 3], b = face[(i + 2) % 3];
      const double weight = 0.5 * cotangent(mesh.vertices[a] - mesh.vertices[apex],
                                            mesh.vertices[b] - mesh.vertices[apex]);
      entries.emplace_back(a, b, -weight);
      entries.emplace_back(b, a, -weight);
      entries.emplace_back(a, a, weight);
      entries.emplace_back(b, b, weight);
    }
  }
  return assemble(mesh, entries);
}

Eigen::VectorXd lumped_masses(const Mesh& mesh) {
  Eigen::VectorXd masses = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(mesh.vertices.size()));
  const std::vector<double> areas = face_areas(mesh);
  for (std::size_t f = 0; f < areas.size(); ++f) {
    for (const std::uint32_t corner : mesh.faces[f]) masses[corner] += areas[f] / 3.0;
  }
  return masses;
}

SparseMatrix mass_matrix(const Mesh& mesh) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(9 * mesh.faces.size());
  const std::vector<double> areas = face_areas(mesh);
  for (std::size_t f = 0; f < areas.size(); ++f) {
    for (const std::uint32_t a : mesh.faces[f]) {
      for (const std::uint32_t b : mesh.faces[f]) {
        entries.emplace_back(a, b, areas[f] / (a == b ? 6.0 : 12.0));
      }
    }
  }
  return assemble(mesh, entries);
}

}  // namespace algprior::mesh
