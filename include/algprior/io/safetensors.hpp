#pragma once

#include "algprior/io/bytes.hpp"

namespace algprior::io {

/// Named arrays with a free table of strings: the content of a .safetensors file.
struct SafeTensors {
  NamedArrays tensors;
  std::map<std::string, std::string, std::less<>> metadata;

  /// Throws InputError listing the nearest names when there is none of that name.
  const Array& at(std::string_view name) const;
};

/// safetensors: an 8-byte little-endian length, a JSON header, raw little-endian buffers. The
/// tensors must fill the buffer without holes or overlaps. Throws FileError naming file and tensor
/// for every violation; a file written by torch.save() is recognised, and the message says how to
/// convert it.
SafeTensors read_safetensors(const std::filesystem::path& path);
SafeTensors parse_safetensors(ByteView bytes, const std::string& name);

/// Tensors in the order of their names, the header padded with spaces to a multiple of 8 bytes.
Bytes to_safetensors(const SafeTensors& content);
void write_safetensors(const std::filesystem::path& path, const SafeTensors& content);

}  // namespace algprior::io
