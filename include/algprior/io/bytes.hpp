#pragma once

#include "algprior/io/array.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace algprior::io {

/// What a reader may allocate for one file, unpacked: the defence against archives that unpack to
/// terabytes. Half of the memory that is free now, at least 64 MB. Each reader throws LimitError
/// beyond it.
std::uint64_t default_byte_limit();

/// A whole file. Throws FileError (missing, a folder, unreadable) or LimitError.
Bytes read_bytes(const std::filesystem::path& path, std::uint64_t limit = default_byte_limit());

/// Writes aside, syncs, renames: afterwards the file is whole or as it was. Throws FileError.
void write_bytes(const std::filesystem::path& path, ByteView bytes);

inline ByteView as_bytes(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Whether gzip's two magic bytes come first.
bool is_gzip(ByteView bytes);

/// The content of a gzip file (all its members, checksums compared). `name` goes into errors.
/// Throws FileError on damage, LimitError when the content would exceed `limit`.
Bytes gunzip(ByteView bytes, const std::string& name, std::uint64_t limit = default_byte_limit());

/// A gzip file without a name or a date, so that equal content gives equal bytes.
Bytes gzip(ByteView content);

}  // namespace algprior::io
