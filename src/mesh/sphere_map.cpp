#include "algprior/mesh/sphere_map.hpp"

#include "algprior/base/error.hpp"
#include "algprior/mesh/laplacian.hpp"
#include "algprior/mesh/topology.hpp"
#include "unfold.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

void centre_and_scale(Mesh& mesh) {
  const Point centroid = area_centroid(mesh);
  for (Point& vertex : mesh.vertices) vertex -= centroid;
  mesh = scaled_to_area(std::move(mesh), 1.0);
}

double radius_deviation_of(const Mesh& mesh) {
  double sum = 0.0, squares = 0.0;
  for (const Point& vertex : mesh.vertices) {
    sum += vertex.norm();
    squares += vertex.squaredNorm();
  }
  const double n = static_cast<double>(mesh.vertices.size()), mean = sum / n;
  return std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean;
}

Eigen::MatrixX3d matrix_of(const std::vector<Point>& points) {
  Eigen::MatrixX3d matrix(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t v = 0; v < points.size(); ++v) {
    matrix.row(static_cast<Eigen::Index>(v)) = points[v].transpose();
  }
  return matrix;
}

void check(const SphereMapOptions& options) {
  if (options.step > 0.0 && std::isfinite(options.step) && options.iterations >= 0 &&
      options.steady >= 0.0 && options.repairs >= 0 && options.most_folded >= 0.0) {
    return;
  }
  throw InputError(
      {"a mesh cannot be mapped to the sphere so",
       fmt::format("step {}, {} iterations, steady {}, {} repairs, most folded {}", options.step,
                   options.iterations, options.steady, options.repairs, options.most_folded),
       "a positive step, the others at least 0", ""});
}

[[noreturn]] void fail_flow(const char* what, int iteration) {
  throw InputError({what, fmt::format("iteration {} of the flow", iteration),
                    "finite positions at every step", "repair degenerate faces of the mesh"});
}

}  // namespace

SphereMap flow_to_sphere(const Mesh& mesh, const SphereMapOptions& options,
                         const std::vector<Point>& start) {
  check(mesh);
  check(options);
  if (const std::string reason = why_not_sphere(inspect(mesh)); !reason.empty()) {
    throw InputError({"the mesh cannot be mapped to the sphere", reason,
                      "one closed surface of genus 0", "leave this mesh out, or repair it"});
  }
  Mesh current = mesh;
  centre_and_scale(current);
  const SparseMatrix stiffness = cotangent_laplacian(current);
  Eigen::SimplicialLDLT<SparseMatrix> solver;
  solver.analyzePattern(stiffness);

  if (!start.empty()) {
    if (start.size() != mesh.vertices.size()) {
      throw InputError({"the flow starts from positions of other vertices",
                        fmt::format("{} positions", start.size()),
                        fmt::format("{}, as the mesh", mesh.vertices.size()), ""});
    }
    current.vertices = start;
    centre_and_scale(current);
  }
  SphereMap result;
  double deviation = radius_deviation_of(current);
  while (result.iterations < options.iterations) {
    ++result.iterations;
    const SparseMatrix masses = mass_matrix(current);
    solver.factorize(masses + options.step * stiffness);
    if (solver.info() != Eigen::Success) {
      fail_flow("the flow's system cannot be factorised", result.iterations);
    }
    const Eigen::MatrixX3d next = solver.solve(masses * matrix_of(current.vertices));
    if (!next.allFinite()) fail_flow("the flow left the finite numbers", result.iterations);
    for (std::size_t v = 0; v < current.vertices.size(); ++v) {
      current.vertices[v] = next.row(static_cast<Eigen::Index>(v)).transpose();
    }
    centre_and_scale(current);
    const double before = std::exchange(deviation, radius_deviation_of(current));
    if (std::abs(before - deviation) < options.steady) break;
  }
  result.radius_deviation = deviation;
  // A mesh whose faces look inwards flows to a sphere that looks inwards.
  const double sign = signed_volume(current) < 0.0 ? -1.0 : 1.0;
  for (std::size_t v = 0; v < current.vertices.size(); ++v) {
    Point& vertex = current.vertices[v];
    if (!(vertex.norm() > 0.0)) fail_flow("a vertex came to lie at the centre", result.iterations);
    vertex = sign * vertex.normalized();
  }
  result.vertices = std::move(current.vertices);
  result.first_flips = count_flips(result.vertices, mesh.faces);
  result.flips = result.first_flips;
  if (result.flips > 0 && options.repairs > 0) {
    result.flips = unfold(result.vertices, mesh.faces, options.repairs);
  }
  return result;
}

SphereMap map_to_sphere(const Mesh& mesh, const SphereMapOptions& options) {
  check(options);
  const SphereMap harmonic = harmonic_to_sphere(mesh, options);
  const std::vector<double> areas = face_areas(mesh);
  SphereMap flown = flow_to_sphere(mesh, options, harmonic.vertices);
  centre_on_sphere(flown.vertices, mesh.faces, areas);
  flown.flips = count_flips(flown.vertices, mesh.faces);
  flown.folded_part = folded_part(flown.vertices, mesh.faces);
  if (flown.folded_part <= options.most_folded) return flown;
  if (harmonic.folded_part <= options.most_folded) return harmonic;
  throw InputError(
      {"the map to the sphere folds",
       fmt::format("{:.2g} of the sphere's area by the flow, {:.2g} by the harmonic map",
                   flown.folded_part, harmonic.folded_part),
       fmt::format("at most {}", options.most_folded),
       "leave this mesh out, or give it more and better triangles"});
}

double folded_part(const std::vector<Point>& vertices, const std::vector<Face>& faces) {
  double folded = 0.0;
  for (const auto& [a, b, c] : faces) {
    const Point &p = vertices[a], &q = vertices[b], &r = vertices[c];
    const double volume = p.dot(q.cross(r));
    if (volume > 0.0) continue;
    // Van Oosterom and Strackee: tan(Ω/2) = |pqr| / (1 + pq + qr + rp).
    folded += 2.0 * std::atan2(-volume, 1.0 + p.dot(q) + q.dot(r) + r.dot(p));
  }
  return folded / (4.0 * std::numbers::pi);
}

std::size_t count_flips(const std::vector<Point>& vertices, const std::vector<Face>& faces) {
  std::size_t flips = 0;
  for (const auto& [a, b, c] : faces) {
    flips += vertices[a].dot(vertices[b].cross(vertices[c])) > 0.0 ? 0 : 1;
  }
  return flips;
}

double quasi_conformal_ratio(const Mesh& mesh, const std::vector<Point>& image) {
  check(mesh);
  if (image.size() != mesh.vertices.size()) {
    throw InputError({"an image has other vertices than its mesh",
                      fmt::format("{} positions", image.size()),
                      fmt::format("{}", mesh.vertices.size()), ""});
  }
  double total = 0.0, sum = 0.0;
  const std::vector<double> areas = face_areas(mesh);
  // Both triangles in coordinates of their own planes; the map between these is 2×2.
  const auto flat = [](const Point& a, const Point& b, const Point& c) {
    const Point u = b - a, v = c - a;
    const double length = u.norm(), along = u.dot(v) / length;
    Eigen::Matrix2d columns;
    columns << length, along, 0.0, std::sqrt(std::max(0.0, v.squaredNorm() - along * along));
    return columns;
  };
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto& [a, b, c] = mesh.faces[f];
    const Eigen::Matrix2d from = flat(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
    const Eigen::Matrix2d to = flat(image[a], image[b], image[c]);
    if (!(from.determinant() > 0.0) || !(to.determinant() > 0.0)) continue;
    const Eigen::Matrix2d map = to * from.inverse();
    // σ_max/σ_min from |A|² = σ₁² + σ₂² and det A = σ₁σ₂.
    const double half = 0.5 * map.squaredNorm() / map.determinant();
    const double ratio = half + std::sqrt(std::max(0.0, half * half - 1.0));
    if (!std::isfinite(ratio)) continue;
    sum += areas[f] * ratio;
    total += areas[f];
  }
  return total > 0.0 ? sum / total : 1.0;
}

}  // namespace algprior::mesh
