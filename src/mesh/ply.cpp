#include "ply_header.hpp"
#include "text_lines.hpp"

#include <bit>
#include <cstring>

namespace algprior::mesh {
namespace {

/// The numbers of the data part, one after the other; running out throws FileError.
class PlyNumbers {
 public:
  PlyNumbers(io::ByteView bytes, PlyEncoding encoding, const std::string& name)
      : bytes_(bytes), encoding_(encoding), name_(name), size_(bytes.size()) {}

  std::size_t left() const { return bytes_.size(); }
  std::string where() const {
    return fmt::format("{}, byte {} of the data", name_, size_ - left());
  }

  /// Every integer type of PLY fits a double exactly.
  double next(PlyType type) {
    return encoding_ == PlyEncoding::ascii ? next_word(type) : next_binary(type);
  }

 private:
  double next_word(PlyType type) {
    const std::string_view text = io::as_text(bytes_);
    const auto blank = [](char c) { return is_blank(c) || c == '\n'; };
    std::size_t start = 0;
    while (start < text.size() && blank(text[start])) ++start;
    std::size_t end = start;
    while (end < text.size() && !blank(text[end])) ++end;
    const std::string_view word = text.substr(start, end - start);
    if (word.empty()) fail_mesh(where(), "the PLY file is cut short");
    const auto value = number_of<double>(word);
    const bool whole = value && (is_float(type) || *value == std::trunc(*value));
    if (!whole) {
      fail_mesh(where(), fmt::format("a value is \"{}\"", word.substr(0, 40)),
                is_float(type) ? "a number" : "an integer");
    }
    bytes_ = bytes_.subspan(end);
    return *value;
  }

  template <class Unsigned>
  Unsigned take() {
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
      const std::size_t at = encoding_ == PlyEncoding::big_endian ? i : sizeof(Unsigned) - 1 - i;
      value = static_cast<Unsigned>((std::uint64_t{value} << 8) |
                                    std::to_integer<std::uint64_t>(bytes_[at]));
    }
    bytes_ = bytes_.subspan(sizeof(Unsigned));
    return value;
  }

  double next_binary(PlyType type) {
    if (ply_size(type) > left()) fail_mesh(where(), "the PLY file is cut short");
    switch (type) {
      case PlyType::int8:
        return std::bit_cast<std::int8_t>(take<std::uint8_t>());
      case PlyType::uint8:
        return take<std::uint8_t>();
      case PlyType::int16:
        return std::bit_cast<std::int16_t>(take<std::uint16_t>());
      case PlyType::uint16:
        return take<std::uint16_t>();
      case PlyType::int32:
        return std::bit_cast<std::int32_t>(take<std::uint32_t>());
      case PlyType::uint32:
        return take<std::uint32_t>();
      case PlyType::float32:
        return double{std::bit_cast<float>(take<std::uint32_t>())};
      case PlyType::float64:
        return std::bit_cast<double>(take<std::uint64_t>());
    }
    return 0.0;
  }

  io::ByteView bytes_;
  PlyEncoding encoding_;
  const std::string& name_;
  std::size_t size_;
};

/// The fewest bytes that one row of an element takes: the defence against counts in the header that
/// no file could hold.
std::uint64_t shortest_row(const PlyElement& element, PlyEncoding encoding) {
  std::uint64_t shortest = 0;
  for (const PlyProperty& property : element.properties) {
    shortest +=
        encoding == PlyEncoding::ascii ? 2 : ply_size(property.count.value_or(property.type));
  }
  return shortest;
}

std::uint64_t list_length(PlyNumbers& numbers, const PlyProperty& property) {
  const double length = numbers.next(*property.count);
  if (length < 0.0 || length > static_cast<double>(numbers.left())) {
    fail_mesh(numbers.where(), fmt::format("a list has {} entries", length),
              fmt::format("at most the {} bytes that are left", numbers.left()));
  }
  return static_cast<std::uint64_t>(length);
}

void skip_property(PlyNumbers& numbers, const PlyProperty& property) {
  const std::uint64_t length = property.count ? list_length(numbers, property) : 1;
  for (std::uint64_t i = 0; i < length; ++i) numbers.next(property.type);
}

void read_ply_vertices(PlyNumbers& numbers, const PlyElement& element, Mesh& mesh) {
  std::array<int, 3> seen{};
  for (const PlyProperty& property : element.properties) {
    if (property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z' &&
        !property.count) {
      ++seen[static_cast<std::size_t>(property.name[0] - 'x')];
    }
  }
  if (seen != std::array<int, 3>{1, 1, 1}) {
    fail_mesh(numbers.where(), "the element \"vertex\" lacks a coordinate",
              "properties x, y and z");
  }
  mesh.vertices.reserve(element.count);
  for (std::uint64_t v = 0; v < element.count; ++v) {
    Point point = Point::Zero();
    for (const PlyProperty& property : element.properties) {
      const bool coordinate = property.name.size() == 1 && property.name[0] >= 'x' &&
                              property.name[0] <= 'z' && !property.count;
      if (!coordinate) {
        skip_property(numbers, property);
        continue;
      }
      const double value = numbers.next(property.type);
      if (!std::isfinite(value)) {
        fail_mesh(numbers.where(), fmt::format("a coordinate of vertex {} is {}", v, value),
                  "a finite number");
      }
      point[property.name[0] - 'x'] = value;
    }
    mesh.vertices.push_back(point);
  }
}

void read_ply_faces(PlyNumbers& numbers, const PlyElement& element, const MeshLimits& limits,
                    Mesh& mesh) {
  const auto is_corners = [](const PlyProperty& property) {
    return property.count && !is_float(property.type) &&
           (property.name == "vertex_indices" || property.name == "vertex_index");
  };
  std::vector<std::uint32_t> corners;
  for (std::uint64_t f = 0; f < element.count; ++f) {
    corners.clear();
    for (const PlyProperty& property : element.properties) {
      if (!is_corners(property)) {
        skip_property(numbers, property);
        continue;
      }
      const std::uint64_t length = list_length(numbers, property);
      for (std::uint64_t i = 0; i < length; ++i) {
        const double index = numbers.next(property.type);
        if (index < 0.0 || index >= 4294967295.0) {
          fail_mesh(numbers.where(), fmt::format("face {} names vertex {}", f, index),
                    "an index from 0");
        }
        corners.push_back(static_cast<std::uint32_t>(index));
      }
    }
    if (corners.size() < 3) {
      fail_mesh(numbers.where(), fmt::format("face {} has {} corners", f, corners.size()),
                "a list vertex_indices of 3 or more");
    }
    add_fan(mesh.faces, corners);
    if (mesh.faces.size() > limits.faces) {
      fail_mesh_limit(numbers.where(), "faces", mesh.faces.size(), limits.faces);
    }
  }
}

}  // namespace

Mesh parse_ply(io::ByteView bytes, const std::string& name, const MeshLimits& limits) {
  const PlyHeader header = parse_ply_header(bytes, name);
  PlyNumbers numbers(bytes.subspan(header.bytes), header.encoding, name);
  Mesh mesh;
  bool has_vertices = false;
  for (const PlyElement& element : header.elements) {
    const std::uint64_t shortest = shortest_row(element, header.encoding);
    if (element.name == "vertex" && element.count > limits.vertices) {
      fail_mesh_limit(name, "vertices", element.count, limits.vertices);
    }
    if (element.name == "face" && element.count > limits.faces) {
      fail_mesh_limit(name, "faces", element.count, limits.faces);
    }
    if (shortest == 0 && element.name != "face") continue;
    if (element.count > 0 && (shortest == 0 || element.count > (numbers.left() + 1) / shortest)) {
      fail_mesh(name,
                fmt::format("the header claims {} rows of \"{}\", but {} bytes are left",
                            element.count, element.name.substr(0, 40), numbers.left()),
                fmt::format("at least {} bytes a row", shortest));
    }
    if (element.name == "vertex" && !has_vertices) {
      read_ply_vertices(numbers, element, mesh);
      has_vertices = true;
    } else if (element.name == "face" && mesh.faces.empty()) {
      read_ply_faces(numbers, element, limits, mesh);
    } else {
      for (std::uint64_t row = 0; row < element.count; ++row) {
        for (const PlyProperty& property : element.properties) skip_property(numbers, property);
      }
    }
  }
  if (!has_vertices) fail_mesh(name, "the PLY file has no vertices", "an element \"vertex\"");
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (const std::uint32_t corner : mesh.faces[f]) {
      if (corner < mesh.vertices.size()) continue;
      fail_mesh(name, fmt::format("triangle {} names vertex {}", f, corner),
                fmt::format("an index below {}", mesh.vertices.size()));
    }
  }
  return mesh;
}

}  // namespace algprior::mesh
