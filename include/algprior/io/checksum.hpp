#pragma once

#include "algprior/io/bytes.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace algprior::io {

/// SHA-256 (FIPS 180-4), fed in pieces.
class Sha256 {
 public:
  Sha256();
  void update(ByteView bytes);
  /// 64 lower-case hexadecimal digits. The object must not be used afterwards.
  std::string finish();

 private:
  void block(const std::byte* data);

  std::array<std::uint32_t, 8> state_;
  std::array<std::byte, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t length_ = 0;
};

std::string sha256(ByteView bytes);

/// CRC-32C (Castagnoli), as in RFC 3720.
std::uint32_t crc32c(ByteView bytes);

/// The CRC-32 of zip and gzip.
std::uint32_t crc32(ByteView bytes);

}  // namespace algprior::io
