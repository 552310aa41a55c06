#pragma once

#include "algprior/io/bytes.hpp"

namespace algprior::io {

/// What stands before the data of an NPY file.
struct NpyHead {
  ArrayHead array;
  bool fortran = false;     ///< column-major
  bool big_endian = false;  ///< elements, or the parts of complex ones
  std::size_t offset = 0;   ///< of the data
};

/// Longest beginning of an NPY file that its head can take.
inline constexpr std::size_t kMaxNpyHeader = 1 << 16;
inline constexpr std::size_t kMaxNpyHead = kMaxNpyHeader + 12;

/// From the beginning of the file. Throws FileError for damage and for types that are not read.
NpyHead parse_npy_head(ByteView bytes, const std::string& name);

/// The bytes that the data claims to take. Throws FileError for a shape that no machine can hold.
std::uint64_t data_bytes(const ArrayHead& head, const std::string& name);

}  // namespace algprior::io
