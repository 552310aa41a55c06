#pragma once

#include "algprior/io/bytes.hpp"

namespace algprior::io {

/// One array of NumPy's NPY format, versions 1 to 3. Big-endian data is swapped and Fortran order
/// is transposed, so the result is always little-endian and row-major. Throws FileError naming the
/// file for damage, and for structured, complex, string, date and pickled object arrays.
Array read_npy(const std::filesystem::path& path);
Array parse_npy(ByteView bytes, const std::string& name);

Bytes to_npy(const Array& array);
void write_npy(const std::filesystem::path& path, const Array& array);

/// NumPy's NPZ: a zip archive of NPY files, stored or deflated, with zip64 sizes where needed.
/// Checksums are compared. Keys come without ".npy". Throws FileError for damage, encryption,
/// other compression methods, several arrays of one name; LimitError beyond `limit` unpacked bytes.
NamedArrays read_npz(const std::filesystem::path& path, std::uint64_t limit = kDefaultByteLimit);
NamedArrays parse_npz(ByteView bytes, const std::string& name,
                      std::uint64_t limit = kDefaultByteLimit);

enum class Packing { stored, deflated };

/// Equal arrays give equal bytes (no dates). Throws LimitError for archives of 4 GiB and more:
/// write_safetensors() has no such limit.
Bytes to_npz(const NamedArrays& arrays, Packing packing = Packing::deflated);
void write_npz(const std::filesystem::path& path, const NamedArrays& arrays,
               Packing packing = Packing::deflated);

}  // namespace algprior::io
