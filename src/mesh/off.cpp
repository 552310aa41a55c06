#include "text_lines.hpp"

namespace algprior::mesh {
namespace {

// "0 0 0\n" and "3 0 1 2\n" are the shortest lines that a vertex and a face can have. A header that
// claims more than the file could hold is refused before anything is allocated for it.
constexpr std::uint64_t kShortestVertex = 6;
constexpr std::uint64_t kShortestFace = 8;

std::uint64_t count_of(Words& words, const Lines& lines, const char* what) {
  const std::string_view word = words.next();
  const auto count = number_of<std::uint64_t>(word);
  if (!count) {
    fail_mesh(lines.where(), fmt::format("the number of {} is \"{}\"", what, word.substr(0, 40)),
              "OFF, then the numbers of vertices, faces and edges");
  }
  return *count;
}

void check_claim(std::uint64_t count, std::uint64_t limit, std::uint64_t shortest, const char* what,
                 const Lines& lines) {
  if (count > limit) fail_mesh_limit(lines.where(), what, count, limit);
  // The last line may lack its line feed.
  if (count > (lines.left() + 1) / shortest) {
    fail_mesh(
        lines.where(),
        fmt::format("the header claims {} {}, but only {} bytes follow", count, what, lines.left()),
        fmt::format("at least {} bytes each", shortest));
  }
}

}  // namespace

Mesh parse_off(io::ByteView bytes, const std::string& name, const MeshLimits& limits) {
  Lines lines(io::as_text(bytes), name);
  std::string_view line;
  if (!lines.next_filled(line)) fail_mesh(name, "the OFF file is empty", "OFF");
  Words header(line);
  std::string_view first = header.next();
  if (first.substr(0, 3) != "OFF") {
    fail_mesh(lines.where(), fmt::format("the file begins with \"{}\"", first.substr(0, 40)),
              "OFF");
  }
  // "OFF 8 12 0", "OFF8 12 0" and a line of its own all occur.
  std::string_view counts = line.substr(line.find("OFF") + 3);
  if (Words(counts).next().empty() && !lines.next_filled(counts)) {
    fail_mesh(lines.where(), "the file ends after OFF", "numbers of vertices, faces and edges");
  }
  Words words(counts);
  const std::uint64_t vertices = count_of(words, lines, "vertices");
  const std::uint64_t faces = count_of(words, lines, "faces");
  check_claim(vertices, limits.vertices, kShortestVertex, "vertices", lines);
  check_claim(faces, limits.faces, kShortestFace, "faces", lines);

  Mesh mesh;
  mesh.vertices.reserve(vertices);
  mesh.faces.reserve(faces);
  for (std::uint64_t v = 0; v < vertices; ++v) {
    if (!lines.next_filled(line)) {
      fail_mesh(lines.where(), fmt::format("the file ends at vertex {}", v),
                fmt::format("{} vertices", vertices));
    }
    Words row(line);
    const double x = coordinate_of(row.next(), lines);
    const double y = coordinate_of(row.next(), lines);
    const double z = coordinate_of(row.next(), lines);
    mesh.vertices.emplace_back(x, y, z);
  }
  std::vector<std::uint32_t> corners;
  for (std::uint64_t f = 0; f < faces; ++f) {
    if (!lines.next_filled(line)) {
      fail_mesh(lines.where(), fmt::format("the file ends at face {}", f),
                fmt::format("{} faces", faces));
    }
    Words row(line);
    const auto sides = number_of<std::uint64_t>(row.next());
    if (!sides || *sides < 3 || *sides > line.size()) {
      fail_mesh(lines.where(), "a face has no usable number of corners", "3 or more");
    }
    corners.clear();
    for (std::uint64_t i = 0; i < *sides; ++i) {
      const std::string_view word = row.next();
      const auto index = number_of<std::uint32_t>(word);
      if (!index || *index >= vertices) {
        fail_mesh(lines.where(), fmt::format("a corner of a face is \"{}\"", word.substr(0, 40)),
                  fmt::format("an index below {}", vertices));
      }
      corners.push_back(*index);
    }
    add_fan(mesh.faces, corners);
    if (mesh.faces.size() > limits.faces) {
      fail_mesh_limit(lines.where(), "faces", mesh.faces.size(), limits.faces);
    }
  }
  return mesh;
}

std::string to_off(const Mesh& mesh) {
  check(mesh);
  std::string out = fmt::format("OFF\n{} {} 0\n", mesh.vertices.size(), mesh.faces.size());
  for (const Point& p : mesh.vertices) out += fmt::format("{} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& [a, b, c] : mesh.faces) out += fmt::format("3 {} {} {}\n", a, b, c);
  return out;
}

}  // namespace algprior::mesh
