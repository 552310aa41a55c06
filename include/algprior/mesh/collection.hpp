#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::mesh {

/// One mesh of a collection.
struct MeshEntry {
  std::string category;  ///< "ants"
  std::string id;        ///< "T200": unique within its category
  std::filesystem::path mesh;
  std::vector<std::filesystem::path>
      spheres;  ///< maps to the sphere that come with it; may be empty
  /// Why the collection cannot take it, found while listing: no label names it, a map is missing.
  std::string refusal = {};
};

/// The meshes of a folder, sorted by category and id, whichever of these layouts it has:
///  - SHREC_11_CONF: base/CLASS/ID.ext, base_sphere/CLASS/ID.ext, mobius_sphere/CLASS/ID/k.ext;
///  - SHREC'11 as published: T<ID>.off beside a label file that begins with "PSB";
///  - MeshCNN's shrec_16: CLASS/train/T<ID>.obj and CLASS/test/T<ID>.obj, pooled;
///  - CLASS/ID.off, .obj or .ply.
/// A folder that holds one of the folders SHREC_11_CONF or shrec_16 stands for it. Files are
/// listed, not opened; a mesh that has no place in the layout is listed with a refusal. Throws
/// FileError when the folder cannot be read, InputError when it holds no meshes.
std::vector<MeshEntry> scan_meshes(const std::filesystem::path& folder);

/// The label file of the Princeton Shape Benchmark: "PSB 1", the numbers of classes and models,
/// then for each class "name parent count" and that many ids. Throws FileError with what is wrong.
/// The ending "_test" that two names of SHREC'11 carry is cut off.
std::map<std::string, std::vector<std::string>> parse_psb_labels(std::string_view text,
                                                                 const std::string& name);

}  // namespace algprior::mesh
