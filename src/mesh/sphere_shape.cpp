#include "algprior/mesh/sphere_shape.hpp"

#include "algprior/base/error.hpp"
#include "algprior/mesh/laplacian.hpp"
#include "algprior/mesh/raster.hpp"
#include "algprior/mesh/refine.hpp"
#include "algprior/mesh/topology.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace algprior::mesh {
namespace {

void check(const ShapeOptions& options) {
  constexpr int kMostCopies = 100'000, kMostVertices = 50'000'000;
  if (options.area >= 0.0 && std::isfinite(options.area) && options.copies >= 0 &&
      options.copies <= kMostCopies && options.fewest_vertices <= kMostVertices &&
      options.largest_centre >= 0.0 && options.largest_centre < 1.0) {
    return;
  }
  throw InputError(
      {"a shape cannot be made so",
       fmt::format("area {}, {} copies, largest centre {}, at least {} vertices", options.area,
                   options.copies, options.largest_centre, options.fewest_vertices),
       fmt::format("an area of at least 0, 0 to {} copies, a centre in [0, 1), up to {} vertices",
                   kMostCopies, kMostVertices),
       ""});
}

/// A mesh that may be mapped: cleaned, a topological sphere, of the wanted area.
CleanedMesh presentable(const Mesh& mesh, const ShapeOptions& options,
                        std::map<std::string, std::string>& remarks) {
  check(options);
  check(mesh);
  CleanedMesh cleaned = clean(mesh);
  const Topology topology = inspect(cleaned.mesh);
  if (const std::string reason = why_not_sphere(topology); !reason.empty()) {
    throw InputError({"the mesh cannot be mapped to the sphere", reason,
                      "one closed surface of genus 0", "leave this mesh out, or repair it"});
  }
  if (cleaned.merged_vertices + cleaned.removed_faces + cleaned.removed_vertices > 0) {
    remarks["cleaned"] =
        fmt::format("{} vertices merged, {} faces and {} vertices removed", cleaned.merged_vertices,
                    cleaned.removed_faces, cleaned.removed_vertices);
  }
  if (topology.faces_without_area > 0) {
    remarks["faces_without_area"] = fmt::format("{}", topology.faces_without_area);
  }
  if (options.area > 0.0) cleaned.mesh = scaled_to_area(std::move(cleaned.mesh), options.area);
  return cleaned;
}

void take_signal(SphereShape& shape, const Mesh& mesh, const RefinedMesh& refined,
                 const ShapeOptions& options) {
  const Eigen::MatrixXd signature = heat_kernel_signature(mesh, options.heat);
  if (!signature.allFinite()) {
    throw InputError({"the heat kernel signature is not finite", "", "finite numbers",
                      "repair degenerate faces of the mesh"});
  }
  const Eigen::VectorXd masses = lumped_masses(mesh);
  shape.mean = signature.transpose() * masses / masses.sum();
  shape.mean_square = signature.cwiseAbs2().transpose() * masses / masses.sum();
  shape.signal = refined.extend(signature).cast<float>();
}

}  // namespace

std::vector<Point> SphereShape::map(std::size_t k) const {
  if (k == 0) return sphere;
  if (k <= transforms.size()) return transforms[k - 1](sphere);
  if (k < maps()) return given[k - 1 - transforms.size()];
  throw InputError({"the shape has no such map", fmt::format("map {}", k),
                    fmt::format("0 to {}", maps() - 1), ""});
}

SphereShape make_shape(const Mesh& mesh, const ShapeOptions& options, std::string_view name) {
  SphereShape shape;
  const Mesh base = presentable(mesh, options, shape.remarks).mesh;
  int levels = 0;
  // Halving the edges makes four times as many vertices.
  for (std::size_t n = base.vertices.size();
       static_cast<double>(n) < static_cast<double>(options.fewest_vertices); n *= 4) {
    ++levels;
  }
  const RefinedMesh refined = refine(base, levels);
  take_signal(shape, base, refined, options);
  SphereMap map = map_to_sphere(refined.mesh, options.sphere);
  shape.remarks["method"] = map.method == SphereMethod::flow ? "flow" : "harmonic";
  shape.remarks["refined"] = fmt::format("{}", levels);
  shape.remarks["flips"] = fmt::format("{}", map.flips);
  shape.remarks["folded_part"] = fmt::format("{:.3g}", map.folded_part);
  shape.remarks["quasi_conformal_ratio"] =
      fmt::format("{:.4g}", quasi_conformal_ratio(refined.mesh, map.vertices));
  shape.faces = refined.mesh.faces;
  shape.sphere = std::move(map.vertices);
  RandomStream random(RandomKey(options.seed, "mobius copies").purpose(name));
  for (int copy = 0; copy < options.copies; ++copy) {
    shape.transforms.push_back(random_mobius(random, options.largest_centre));
  }
  return shape;
}

SphereShape make_shape(const Mesh& mesh, const std::vector<std::vector<Point>>& spheres,
                       const ShapeOptions& options) {
  SphereShape shape;
  const CleanedMesh cleaned = presentable(mesh, options, shape.remarks);
  std::vector<std::vector<Point>> maps;
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    if (spheres[k].size() != mesh.vertices.size()) {
      throw InputError({"a map to the sphere has other vertices than its mesh",
                        fmt::format("map {}: {} vertices", k, spheres[k].size()),
                        fmt::format("{}", mesh.vertices.size()), "fetch the data set again"});
    }
    maps.emplace_back();
    for (const std::uint32_t v : cleaned.origin) {
      const double radius = spheres[k][v].norm();
      if (!(std::abs(radius - 1.0) < 1e-2)) {
        throw InputError({"a map to the sphere leaves the unit sphere",
                          fmt::format("map {}, vertex {}: radius {}", k, v, radius),
                          "radius 1 within 1e-2", "fetch the data set again"});
      }
      maps.back().push_back(spheres[k][v] / radius);
    }
  }
  if (maps.empty()) {
    throw InputError({"a shape needs a map to the sphere", "none is given", "one or more", ""});
  }
  take_signal(shape, cleaned.mesh, {cleaned.mesh, {}}, options);
  shape.remarks["method"] = "given";
  shape.faces = cleaned.mesh.faces;
  shape.sphere = std::move(maps.front());
  shape.given.assign(std::make_move_iterator(maps.begin() + 1),
                     std::make_move_iterator(maps.end()));
  return shape;
}

std::vector<float> rasters(const SphereShape& shape, const SphereGrid& grid) {
  const std::vector<Point> directions = grid_directions(grid);
  const auto neighbours = face_neighbours(shape.faces);
  const std::size_t one = static_cast<std::size_t>(shape.signal.cols()) * directions.size();
  std::vector<float> out(one * shape.maps());
  for (std::size_t k = 0; k < shape.maps(); ++k) {
    sample_on_sphere(shape.map(k), shape.faces, neighbours, shape.signal, directions,
                     std::span(out).subspan(k * one, one));
  }
  return out;
}

}  // namespace algprior::mesh
