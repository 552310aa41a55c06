#pragma once

#include "algprior/io/bytes.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace algprior::io {

namespace detail {

/// Pieces of any length as the blocks of 64 bytes that MD5 and SHA-256 work on.
class Blocks64 {
 public:
  using Take = std::function<void(const std::byte* block)>;

  void feed(ByteView bytes, const Take& take);
  /// One bit, zeros, and the length in bits as the last eight bytes, in the digest's own order.
  void pad(std::endian order, const Take& take);

 private:
  std::array<std::byte, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace detail

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
  detail::Blocks64 blocks_;
};

std::string sha256(ByteView bytes);

/// MD5 (RFC 1321), fed in pieces: for files of which nothing better is published. It tells a
/// damaged copy from a good one, but not a forged one.
class Md5 {
 public:
  Md5();
  void update(ByteView bytes);
  /// 32 lower-case hexadecimal digits. The object must not be used afterwards.
  std::string finish();

 private:
  void block(const std::byte* data);

  std::array<std::uint32_t, 4> state_;
  detail::Blocks64 blocks_;
};

std::string md5(ByteView bytes);

/// CRC-32C (Castagnoli), as in RFC 3720.
std::uint32_t crc32c(ByteView bytes);

/// The CRC-32 of zip and gzip.
std::uint32_t crc32(ByteView bytes);

}  // namespace algprior::io
