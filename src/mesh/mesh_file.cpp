#include "algprior/mesh/mesh_file.hpp"

#include "text_lines.hpp"

#include <algorithm>
#include <bit>

namespace algprior::mesh {
namespace {

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

template <class Unsigned>
void append_number(io::Bytes& out, Unsigned value, PlyEncoding encoding) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    const std::size_t at = encoding == PlyEncoding::big_endian ? sizeof(Unsigned) - 1 - i : i;
    out.push_back(static_cast<std::byte>((value >> (8 * at)) & 0xFF));
  }
}

[[noreturn]] void fail_mesh_name(const std::string& name) {
  throw InputError({"the name does not tell a mesh format", name, "a name in .off, .obj or .ply",
                    "convert the mesh to one of these"});
}

}  // namespace

bool is_mesh_name(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  return extension == ".off" || extension == ".obj" || extension == ".ply";
}

Mesh parse_mesh(io::ByteView bytes, const std::string& name, const MeshLimits& limits) {
  const std::string extension = lower_extension(name);
  if (extension == ".off") return parse_off(bytes, name, limits);
  if (extension == ".obj") return parse_obj(bytes, name, limits);
  if (extension == ".ply") return parse_ply(bytes, name, limits);
  fail_mesh_name(name);
}

Mesh read_mesh(const std::filesystem::path& path, const MeshLimits& limits) {
  if (!is_mesh_name(path)) fail_mesh_name(path.string());
  return parse_mesh(io::read_bytes(path, limits.bytes), path.string(), limits);
}

io::Bytes to_ply(const Mesh& mesh, PlyEncoding encoding) {
  check(mesh);
  const bool text = encoding == PlyEncoding::ascii;
  std::string out = fmt::format(
      "ply\nformat {} 1.0\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      text                                     ? "ascii"
      : encoding == PlyEncoding::little_endian ? "binary_little_endian"
                                               : "binary_big_endian",
      mesh.vertices.size(), mesh.faces.size());
  if (text) {
    for (const Point& p : mesh.vertices) out += fmt::format("{} {} {}\n", p.x(), p.y(), p.z());
    for (const auto& [a, b, c] : mesh.faces) out += fmt::format("3 {} {} {}\n", a, b, c);
  }
  const io::ByteView head = io::as_bytes(out);
  io::Bytes bytes(head.begin(), head.end());
  if (text) return bytes;
  for (const Point& p : mesh.vertices) {
    for (int i = 0; i < 3; ++i) append_number(bytes, std::bit_cast<std::uint64_t>(p[i]), encoding);
  }
  for (const Face& face : mesh.faces) {
    append_number(bytes, std::uint8_t{3}, encoding);
    for (const std::uint32_t corner : face) append_number(bytes, corner, encoding);
  }
  return bytes;
}

void write_mesh(const std::filesystem::path& path, const Mesh& mesh) {
  const std::string extension = lower_extension(path);
  if (extension == ".off") return io::write_bytes(path, io::as_bytes(to_off(mesh)));
  if (extension == ".obj") return io::write_bytes(path, io::as_bytes(to_obj(mesh)));
  if (extension == ".ply") return io::write_bytes(path, to_ply(mesh));
  fail_mesh_name(path.string());
}

}  // namespace algprior::mesh
