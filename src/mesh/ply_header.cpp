#include "ply_header.hpp"

#include "text_lines.hpp"

#include <array>
#include <utility>

namespace algprior::mesh {
namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> kPlyTypes{{
    {"char", PlyType::int8},
    {"int8", PlyType::int8},
    {"uchar", PlyType::uint8},
    {"uint8", PlyType::uint8},
    {"short", PlyType::int16},
    {"int16", PlyType::int16},
    {"ushort", PlyType::uint16},
    {"uint16", PlyType::uint16},
    {"int", PlyType::int32},
    {"int32", PlyType::int32},
    {"uint", PlyType::uint32},
    {"uint32", PlyType::uint32},
    {"float", PlyType::float32},
    {"float32", PlyType::float32},
    {"double", PlyType::float64},
    {"float64", PlyType::float64},
}};

PlyType ply_type(std::string_view word, const Lines& lines) {
  for (const auto& [type_name, type] : kPlyTypes) {
    if (word == type_name) return type;
  }
  fail_mesh(lines.where(), fmt::format("\"{}\" is not a number type of PLY", word.substr(0, 40)),
            "char, uchar, short, ushort, int, uint, float or double");
}

PlyEncoding ply_encoding(Words& words, const Lines& lines) {
  const std::string_view encoding = words.next();
  if (encoding == "ascii") return PlyEncoding::ascii;
  if (encoding == "binary_little_endian") return PlyEncoding::little_endian;
  if (encoding == "binary_big_endian") return PlyEncoding::big_endian;
  fail_mesh(lines.where(), fmt::format("the format is \"{}\"", encoding.substr(0, 40)),
            "ascii, binary_little_endian or binary_big_endian");
}

PlyProperty ply_property(Words& words, const Lines& lines) {
  PlyProperty property;
  std::string_view word = words.next();
  if (word == "list") {
    property.count = ply_type(words.next(), lines);
    if (is_float(*property.count)) {
      fail_mesh(lines.where(), "the length of a list is no integer", "uchar or another integer");
    }
    word = words.next();
  }
  property.type = ply_type(word, lines);
  property.name = words.next();
  if (property.name.empty()) fail_mesh(lines.where(), "a property has no name");
  return property;
}

}  // namespace

std::size_t ply_size(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::int32:
    case PlyType::uint32:
    case PlyType::float32:
      return 4;
    case PlyType::float64:
      return 8;
  }
  return 8;
}

PlyHeader parse_ply_header(io::ByteView bytes, const std::string& name) {
  Lines lines(io::as_text(bytes), name);
  PlyHeader header;
  bool has_format = false;
  std::string_view line;
  if (!lines.next(line) || Words(line).next() != "ply") {
    fail_mesh(name, "the file does not begin with the line \"ply\"", "a PLY file");
  }
  while (lines.next(line)) {
    Words words(line);
    const std::string_view keyword = words.next();
    if (keyword == "end_header") {
      if (!has_format) fail_mesh(lines.where(), "the header names no format");
      header.bytes = bytes.size() - lines.left();
      return header;
    }
    if (keyword == "format") {
      header.encoding = ply_encoding(words, lines);
      has_format = true;
    } else if (keyword == "element") {
      PlyElement element;
      element.name = words.next();
      const auto count = number_of<std::uint64_t>(words.next());
      if (!count) fail_mesh(lines.where(), "an element has no usable count", "element NAME COUNT");
      element.count = *count;
      header.elements.push_back(std::move(element));
    } else if (keyword == "property") {
      if (header.elements.empty()) {
        fail_mesh(lines.where(), "a property stands before any element");
      }
      header.elements.back().properties.push_back(ply_property(words, lines));
    } else if (keyword != "comment" && keyword != "obj_info" && !keyword.empty()) {
      fail_mesh(lines.where(), fmt::format("\"{}\" is no word of a header", keyword.substr(0, 40)),
                "format, element, property, comment or end_header");
    }
  }
  fail_mesh(lines.where(), "the header never ends", "end_header");
}

}  // namespace algprior::mesh
