#pragma once

#include "algprior/io/safetensors.hpp"

#include <filesystem>
#include <string>

namespace algprior::mesh {

/// The SHA-256 of the names, types, shapes and bytes of all tensors.
std::string tensors_checksum(const io::SafeTensors& content);

/// Writes aside and renames, with the checksum under the key "sha256".
void write_checked(const std::filesystem::path& path, io::SafeTensors content);

/// Throws FileError when the checksum is absent or wrong.
io::SafeTensors read_checked(const std::filesystem::path& path);

}  // namespace algprior::mesh
