#pragma once

#include "algprior/io/bytes.hpp"

namespace algprior::io {

/// The IDX format of MNIST: two zero bytes, a type, the rank, big-endian extents, big-endian data.
/// A gzipped file is recognised by its content, whatever its name. Throws FileError naming the
/// file when it is no IDX file, is cut short or has bytes left over; LimitError beyond `limit`.
Array read_idx(const std::filesystem::path& path, std::uint64_t limit = default_byte_limit());
Array parse_idx(ByteView bytes, const std::string& name,
                std::uint64_t limit = default_byte_limit());

/// Throws InputError for an element type that IDX cannot hold (it has uint8, int8, int16, int32,
/// float32, float64) or more than 255 dimensions.
Bytes to_idx(const Array& array);
void write_idx(const std::filesystem::path& path, const Array& array);

/// A file of the binary CIFAR-10 distribution: per record one label byte and 3,072 pixel bytes.
struct LabelledImages {
  Array images;  ///< uint8[N, 3, 32, 32]
  Array labels;  ///< uint8[N]
};

/// Throws FileError when the size is no positive multiple of 3,073 bytes or a label exceeds 9.
LabelledImages read_cifar10(const std::filesystem::path& path);
LabelledImages parse_cifar10(ByteView bytes, const std::string& name);

}  // namespace algprior::io
