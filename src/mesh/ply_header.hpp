#pragma once

#include "algprior/mesh/mesh_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace algprior::mesh {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t ply_size(PlyType type);
inline bool is_float(PlyType type) {
  return type == PlyType::float32 || type == PlyType::float64;
}

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;
  std::optional<PlyType> count;  ///< the type of the length, for a list
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::size_t bytes = 0;  ///< where the data begin
};

/// The text up to the line "end_header". Throws FileError with the line.
PlyHeader parse_ply_header(io::ByteView bytes, const std::string& name);

}  // namespace algprior::mesh
