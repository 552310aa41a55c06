#pragma once

#include "algprior/io/bytes.hpp"

#include <functional>

namespace algprior::io {

/// One array of NumPy's NPY format, versions 1 to 3. Big-endian data is swapped and Fortran order
/// is transposed, so the result is always little-endian and row-major. Throws FileError naming the
/// file for damage, and for structured, string, date and pickled object arrays.
Array read_npy(const std::filesystem::path& path);
Array parse_npy(ByteView bytes, const std::string& name);

Bytes to_npy(const Array& array);
void write_npy(const std::filesystem::path& path, const Array& array);

/// NumPy's NPZ: a zip archive of NPY files, stored or deflated, with zip64 sizes where needed.
/// Checksums are compared. Keys come without ".npy". The headers of all arrays are read before any
/// data is unpacked: `wanted` sees each name and shape, refuses a wrong one by throwing, and leaves
/// an array out by returning false. Throws FileError for damage, encryption, other compression
/// methods, several arrays of one name; LimitError when the wanted ones take more than `limit`
/// bytes.
using WantedArray = std::function<bool(const std::string& name, const ArrayHead& head)>;
NamedArrays read_npz(const std::filesystem::path& path, std::uint64_t limit = default_byte_limit(),
                     const WantedArray& wanted = {});
NamedArrays parse_npz(ByteView bytes, const std::string& name,
                      std::uint64_t limit = default_byte_limit(), const WantedArray& wanted = {});

/// What the arrays of an archive are, without their data.
NamedHeads read_npz_heads(const std::filesystem::path& path);
NamedHeads parse_npz_heads(ByteView bytes, const std::string& name);

enum class Packing { stored, deflated };

/// Equal arrays give equal bytes (no dates). Throws LimitError for archives of 4 GiB and more:
/// write_safetensors() has no such limit.
Bytes to_npz(const NamedArrays& arrays, Packing packing = Packing::deflated);
void write_npz(const std::filesystem::path& path, const NamedArrays& arrays,
               Packing packing = Packing::deflated);

}  // namespace algprior::io
