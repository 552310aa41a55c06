#pragma once

#include "algprior/io/bytes.hpp"
#include "algprior/mesh/mesh.hpp"

#include <filesystem>
#include <string>

namespace algprior::mesh {

/// What a mesh file may hold. A file beyond it is refused before anything large is allocated.
struct MeshLimits {
  std::uint64_t bytes = std::uint64_t{1} << 30;
  std::uint64_t vertices = 8'000'000;
  std::uint64_t faces = 16'000'000;
};

/// A mesh file by the end of its name: .off, .obj or .ply, in any case. Polygons become fans of
/// triangles: a quadrilateral (0,1,2,3) becomes (0,1,2), (0,2,3). Every reader throws FileError
/// with file:line (or file:offset) for damage, for indices of vertices that do not exist and for
/// coordinates that are not finite; LimitError beyond `limits`; InputError for another name.
Mesh read_mesh(const std::filesystem::path& path, const MeshLimits& limits = {});

/// As read_mesh() of bytes at hand; the format is told by the end of `name`, which errors carry.
Mesh parse_mesh(io::ByteView bytes, const std::string& name, const MeshLimits& limits = {});

/// Whether the name ends in .off, .obj or .ply, in any case.
bool is_mesh_name(const std::filesystem::path& path);

/// Geomview's OFF: the counts may follow "OFF" on its line; comments and blank lines anywhere; what
/// follows coordinates or indices on a line (colours) is ignored.
Mesh parse_off(io::ByteView bytes, const std::string& name, const MeshLimits& limits = {});

/// Wavefront OBJ: lines "v" and "f" count (corners as v, v/t, v//n, v/t/n; negative indices count
/// back from the last vertex), other lines are ignored.
Mesh parse_obj(io::ByteView bytes, const std::string& name, const MeshLimits& limits = {});

/// PLY 1.0, ascii, little-endian or big-endian: x, y, z of the element "vertex" in any number type,
/// the list vertex_indices (or vertex_index) of the element "face"; other properties and elements
/// are skipped.
Mesh parse_ply(io::ByteView bytes, const std::string& name, const MeshLimits& limits = {});

/// Text whose numbers read back to the same bits.
std::string to_off(const Mesh& mesh);
std::string to_obj(const Mesh& mesh);

enum class PlyEncoding { ascii, little_endian, big_endian };
io::Bytes to_ply(const Mesh& mesh, PlyEncoding encoding = PlyEncoding::little_endian);

/// Writes aside and renames; the format by the end of the name (PLY little-endian).
void write_mesh(const std::filesystem::path& path, const Mesh& mesh);

}  // namespace algprior::mesh
