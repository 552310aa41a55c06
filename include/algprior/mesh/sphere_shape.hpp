#pragma once

#include "algprior/mesh/heat_kernel.hpp"
#include "algprior/mesh/mobius.hpp"
#include "algprior/mesh/sphere_grid.hpp"
#include "algprior/mesh/sphere_map.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::mesh {

/// How a shape becomes functions on the sphere.
struct ShapeOptions {
  double area =
      4.0 * 3.14159265358979323846;  ///< meshes are scaled to it; 0 leaves them as they are
  HeatKernelOptions heat;
  SphereMapOptions sphere = {.iterations = 20};
  int fewest_vertices = 2000;   ///< coarser meshes are refined before they are mapped
  int copies = 30;              ///< Möbius copies beside the map itself
  double largest_centre = 0.4;  ///< |c| of a copy is uniform on [0, this]
  std::uint64_t seed = 0;
};

/// A shape as one function on the sphere in several parameterisations: a sphere mesh, a signal on
/// its vertices, and copies of the sphere mesh under Möbius transformations (or as they were
/// given).
struct SphereShape {
  std::vector<Face> faces;
  std::vector<Point> sphere;
  std::vector<Mobius> transforms;              ///< copy k is transforms[k−1] of the sphere …
  std::vector<std::vector<Point>> given;       ///< … followed by copies that were given
  Eigen::MatrixXf signal;                      ///< a row a vertex, a column a channel
  Eigen::VectorXd mean, mean_square;           ///< of each channel over the shape's area
  std::map<std::string, std::string> remarks;  ///< what there is to know of the way here

  std::size_t maps() const { return 1 + transforms.size() + given.size(); }
  /// The sphere mesh of map k; 0 is the shape's own.
  std::vector<Point> map(std::size_t k) const;
};

/// The shape of a mesh: cleaned, checked, scaled, its heat kernel signature taken, refined, mapped
/// to the sphere and centred; copies drawn by (seed, `name`). Throws InputError that says why a
/// mesh has no place on the sphere.
SphereShape make_shape(const Mesh& mesh, const ShapeOptions& options, std::string_view name);

/// The shape of a mesh whose maps to the sphere are given, one position a vertex: the first is the
/// shape's own, the others are copies. Throws InputError when they do not fit.
SphereShape make_shape(const Mesh& mesh, const std::vector<std::vector<Point>>& spheres,
                       const ShapeOptions& options);

/// All maps of the shape on a grid: maps·C·cells numbers, in this order.
std::vector<float> rasters(const SphereShape& shape, const SphereGrid& grid);

/// The bytes of a shape in safetensors, with the SHA-256 of its tensors, and back. Reading checks
/// checksum, shapes and indices; throws FileError.
void write_shape(const std::filesystem::path& path, const SphereShape& shape);
SphereShape read_shape(const std::filesystem::path& path);

}  // namespace algprior::mesh
