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

/// A file of an archive as the central directory describes it.
struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;
  std::uint64_t unpacked = 0;  ///< as claimed: read_member compares it
  std::uint64_t offset = 0;
};

/// The files of a zip archive in the order of the central directory; nothing is unpacked. Throws
/// FileError on damage, encryption, an unknown method, or members that share bytes (the trick of
/// archive bombs).
std::vector<ZipEntry> list_zip(ByteView bytes, const std::string& name);

/// The first `count` bytes of a file, or all when there are fewer; its checksum is not compared.
Bytes read_member_start(ByteView bytes, const ZipEntry& entry, const std::string& name,
                        std::size_t count);

/// A file unpacked, its size and CRC-32 compared. Throws FileError on damage, LimitError when it is
/// larger than `limit`.
Bytes read_member(ByteView bytes, const ZipEntry& entry, const std::string& name,
                  std::uint64_t limit);

/// Throws LimitError when the archive would need zip64.
Bytes to_zip(const std::vector<ZipMember>& members, Packing packing);

}  // namespace algprior::io
