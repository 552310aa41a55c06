#include "text_lines.hpp"

#include <limits>

namespace algprior::mesh {
namespace {

/// A corner "7", "7/1", "7//3", "7/1/3" or "-1" as an index from 0; forward references are settled
/// when all vertices are known.
std::uint32_t obj_corner(std::string_view word, std::size_t vertices, const Lines& lines) {
  const auto index = number_of<std::int64_t>(word.substr(0, word.find('/')));
  const auto known = static_cast<std::int64_t>(vertices);
  if (!index || *index == 0 || *index < -known ||
      *index >= std::numeric_limits<std::uint32_t>::max()) {
    fail_mesh(lines.where(), fmt::format("a corner of a face is \"{}\"", word.substr(0, 40)),
              fmt::format("an index from 1, or from -{} to -1", vertices));
  }
  return static_cast<std::uint32_t>(*index > 0 ? *index - 1 : known + *index);
}

}  // namespace

Mesh parse_obj(io::ByteView bytes, const std::string& name, const MeshLimits& limits) {
  Lines lines(io::as_text(bytes), name);
  Mesh mesh;
  std::uint32_t largest = 0;
  std::string largest_where;
  std::vector<std::uint32_t> corners;
  for (std::string_view line; lines.next_filled(line);) {
    Words row(line);
    const std::string_view kind = row.next();
    if (kind == "v") {
      const double x = coordinate_of(row.next(), lines);
      const double y = coordinate_of(row.next(), lines);
      const double z = coordinate_of(row.next(), lines);
      mesh.vertices.emplace_back(x, y, z);
      if (mesh.vertices.size() > limits.vertices) {
        fail_mesh_limit(lines.where(), "vertices", mesh.vertices.size(), limits.vertices);
      }
    } else if (kind == "f") {
      corners.clear();
      for (std::string_view word = row.next(); !word.empty(); word = row.next()) {
        corners.push_back(obj_corner(word, mesh.vertices.size(), lines));
        if (corners.back() >= largest) {
          largest = corners.back();
          largest_where = lines.where();
        }
      }
      if (corners.size() < 3) {
        fail_mesh(lines.where(), fmt::format("a face has {} corners", corners.size()), "3 or more");
      }
      add_fan(mesh.faces, corners);
      if (mesh.faces.size() > limits.faces) {
        fail_mesh_limit(lines.where(), "faces", mesh.faces.size(), limits.faces);
      }
    }
  }
  if (mesh.vertices.empty()) {
    fail_mesh(name, "the OBJ file has no vertex", "lines \"v x y z\" and \"f a b c\"");
  }
  if (!mesh.faces.empty() && largest >= mesh.vertices.size()) {
    fail_mesh(largest_where, fmt::format("a face names vertex {}", std::uint64_t{largest} + 1),
              fmt::format("at most {}, the number of vertices", mesh.vertices.size()));
  }
  return mesh;
}

std::string to_obj(const Mesh& mesh) {
  check(mesh);
  std::string out;
  for (const Point& p : mesh.vertices) out += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& [a, b, c] : mesh.faces) {
    out += fmt::format("f {} {} {}\n", std::uint64_t{a} + 1, std::uint64_t{b} + 1,
                       std::uint64_t{c} + 1);
  }
  return out;
}

}  // namespace algprior::mesh
