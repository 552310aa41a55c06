#include "algprior/base/error.hpp"
#include "algprior/mesh/laplacian.hpp"
#include "algprior/mesh/mobius.hpp"
#include "algprior/mesh/sphere_map.hpp"
#include "algprior/mesh/topology.hpp"
#include "unfold.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

// Weights of edges whose cotangents sum to less become this. Any positive weights embed a planar
// graph without folds (Tutte); the nearer they are to the cotangents, the nearer to conformal.
constexpr double kSmallestWeight = 0.002;

/// A large face of good shape: the map is worst around the face that is opened.
std::size_t face_to_open(const Mesh& mesh) {
  std::size_t best = 0;
  double best_value = -1.0;
  const std::vector<double> areas = face_areas(mesh);
  for (std::size_t f = 0; f < areas.size(); ++f) {
    const auto& [a, b, c] = mesh.faces[f];
    const double sides = (mesh.vertices[a] - mesh.vertices[b]).squaredNorm() +
                         (mesh.vertices[b] - mesh.vertices[c]).squaredNorm() +
                         (mesh.vertices[c] - mesh.vertices[a]).squaredNorm();
    const double value = sides > 0.0 ? areas[f] * areas[f] / sides : 0.0;
    if (value <= best_value) continue;
    best = f;
    best_value = value;
  }
  return best;
}

SparseMatrix positive_laplacian(const Mesh& mesh) {
  SparseMatrix laplacian = cotangent_laplacian(mesh);
  for (Eigen::Index column = 0; column < laplacian.outerSize(); ++column) {
    double sum = 0.0;
    for (SparseMatrix::InnerIterator entry(laplacian, column); entry; ++entry) {
      if (entry.row() == column) continue;
      entry.valueRef() = std::min(entry.value(), -kSmallestWeight);
      sum -= entry.value();
    }
    laplacian.coeffRef(column, column) = sum;
  }
  return laplacian;
}

/// Tutte's embedding: the corners of one face on the unit circle, each other vertex at the weighted
/// mean of its neighbours.
std::vector<std::complex<double>> planar_embedding(const Mesh& mesh, const SparseMatrix& laplacian,
                                                   const Face& outer) {
  const auto n = static_cast<Eigen::Index>(mesh.vertices.size());
  std::vector<std::complex<double>> place(mesh.vertices.size());
  std::vector<Eigen::Index> inner(mesh.vertices.size(), 0);
  // Seen from inside, the opened face runs clockwise.
  for (std::size_t i = 0; i < 3; ++i) {
    inner[outer[i]] = -1;
    place[outer[i]] = std::polar(1.0, -2.0 * std::numbers::pi / 3.0 * static_cast<double>(i));
  }
  Eigen::Index count = 0;
  for (Eigen::Index& index : inner) {
    if (index == 0) index = count++;
  }
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixX2d right = Eigen::MatrixX2d::Zero(count, 2);
  for (Eigen::Index column = 0; column < n; ++column) {
    for (SparseMatrix::InnerIterator entry(laplacian, column); entry; ++entry) {
      const auto row = inner[static_cast<std::size_t>(entry.row())];
      const auto other = inner[static_cast<std::size_t>(column)];
      if (row < 0) continue;
      if (other >= 0) {
        entries.emplace_back(row, other, entry.value());
      } else {
        const auto fixed = place[static_cast<std::size_t>(column)];
        right(row, 0) -= entry.value() * fixed.real();
        right(row, 1) -= entry.value() * fixed.imag();
      }
    }
  }
  if (count == 0) return place;
  SparseMatrix system(count, count);
  system.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<SparseMatrix> solver(system);
  const Eigen::MatrixX2d solution = solver.solve(right);
  if (solver.info() != Eigen::Success || !solution.allFinite()) {
    throw InputError({"the harmonic map of the mesh cannot be computed", "", "finite cotangents",
                      "repair degenerate faces of the mesh"});
  }
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (inner[v] >= 0) place[v] = {solution(inner[v], 0), solution(inner[v], 1)};
  }
  return place;
}

/// The plane wrapped around the sphere so that each hemisphere gets half of the mesh's area.
std::vector<Point> wrapped(const Mesh& mesh, const std::vector<std::complex<double>>& place) {
  const Eigen::VectorXd masses = lumped_masses(mesh);
  const double half = 0.5 * masses.sum();
  const auto median = [&](auto value) {
    std::vector<std::pair<double, double>> sorted;
    for (std::size_t v = 0; v < place.size(); ++v) {
      sorted.emplace_back(value(place[v]), masses[static_cast<Eigen::Index>(v)]);
    }
    std::sort(sorted.begin(), sorted.end());
    double sum = 0.0;
    for (const auto& [key, mass] : sorted) {
      sum += mass;
      if (sum >= half) return key;
    }
    return sorted.back().first;
  };
  const std::complex<double> centre(median([](auto z) { return z.real(); }),
                                    median([](auto z) { return z.imag(); }));
  const double radius = std::max(median([&](auto z) { return std::abs(z - centre); }), 1e-12);
  std::vector<Point> sphere;
  // to_sphere() mirrors (θ runs clockwise in z), so the conjugate keeps the orientation.
  for (const auto& z : place) sphere.push_back(to_sphere(std::conj((z - centre) / radius)));
  return sphere;
}

}  // namespace

SphereMap harmonic_to_sphere(const Mesh& mesh, const SphereMapOptions& options) {
  check(mesh);
  if (const std::string reason = why_not_sphere(inspect(mesh)); !reason.empty()) {
    throw InputError({"the mesh cannot be mapped to the sphere", reason,
                      "one closed surface of genus 0", "leave this mesh out, or repair it"});
  }
  const SparseMatrix laplacian = positive_laplacian(mesh);
  const auto place = planar_embedding(mesh, laplacian, mesh.faces[face_to_open(mesh)]);
  SphereMap result;
  result.method = SphereMethod::harmonic;
  result.vertices = wrapped(mesh, place);
  const std::vector<double> areas = face_areas(mesh);
  centre_on_sphere(result.vertices, mesh.faces, areas);
  result.first_flips = count_flips(result.vertices, mesh.faces);
  result.flips = result.first_flips;
  if (result.flips > 0 && options.repairs > 0) {
    unfold(result.vertices, mesh.faces, options.repairs);
    centre_on_sphere(result.vertices, mesh.faces, areas);
    result.flips = count_flips(result.vertices, mesh.faces);
  }
  result.folded_part = folded_part(result.vertices, mesh.faces);
  return result;
}

}  // namespace algprior::mesh
