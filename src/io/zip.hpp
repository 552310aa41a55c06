#pragma once

#include "algprior/io/npy.hpp"

#include <string>
#include <utility>
#include <vector>

namespace algprior::io {

struct ZipMember {
  std::string name;
  Bytes content;
};

/// All files of a zip archive, unpacked, CRC-32 compared, in the order of the central directory.
/// Throws FileError on damage, encryption, an unknown method, or members that share bytes (the
/// trick of archive bombs); LimitError when the contents together exceed `limit`.
std::vector<ZipMember> parse_zip(ByteView bytes, const std::string& name, std::uint64_t limit);

/// Throws LimitError when the archive would need zip64.
Bytes to_zip(const std::vector<ZipMember>& members, Packing packing);

}  // namespace algprior::io
