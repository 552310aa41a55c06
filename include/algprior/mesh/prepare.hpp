#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/mesh/mesh_file.hpp"
#include "algprior/mesh/shape_index.hpp"
#include "algprior/mesh/sphere_shape.hpp"

#include <filesystem>
#include <vector>

namespace algprior::mesh {

/// What is made of a collection of meshes.
struct PrepareOptions {
  ShapeOptions shape;
  /// Rasters written beside the shapes, in float16. A raster takes a millisecond a map to make, so
  /// that a reader with time can do without.
  std::vector<SphereGrid> grids = {cube_map_grid(32)};
  MeshLimits limits = {.bytes = std::uint64_t{1} << 28, .vertices = 200'000, .faces = 400'000};
};

/// Every mesh of a folder (see scan_meshes) as a shape on the sphere with its Möbius copies, and
/// its rasters: `output`/shapes/CLASS/ID.safetensors, `output`/rasters/GRID/CLASS/ID.safetensors
/// (tensor "maps", float16[maps, C, …grid]) and, last, `output`/index.json. Uses all threads. Files
/// appear whole and carry checksums; what stands there already from the same mesh and the same
/// options is checked and kept, so that an interrupted run goes on where it stopped. A mesh that
/// cannot be read or mapped is listed in the index with the reason, and the others go on;
/// InputError when none is left. `progress` counts meshes.
ShapeIndex prepare_shapes(const std::filesystem::path& source, const std::filesystem::path& output,
                          const PrepareOptions& options = {}, const ProgressSink& progress = {});

/// The maps of a mesh on a grid, as prepare_shapes() wrote them: float16[maps, C, …grid]. Throws
/// FileError when the file is missing, damaged, or not of this grid.
io::Array read_rasters(const std::filesystem::path& output, const ShapeEntry& entry,
                       const SphereGrid& grid);

}  // namespace algprior::mesh
