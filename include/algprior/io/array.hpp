#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace algprior::io {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

/// The element types that the formats of this room share. float16 and bfloat16 travel as raw 16-bit
/// patterns: read them with to_doubles().
enum class Dtype {
  boolean,
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,  ///< two float32: real part, imaginary part
  complex128
};

std::size_t item_size(Dtype dtype);
/// "float32", "uint8", …
std::string_view name_of(Dtype dtype);

/// The number of elements of a shape; 1 for the empty shape. Throws InputError for a negative
/// extent and LimitError when the product, or its size in bytes, does not fit 63 bits.
std::int64_t element_count(const std::vector<std::int64_t>& shape, std::size_t bytes_each = 1);

/// A dense array, row-major, little-endian: what every reader of this room returns. The bytes start
/// at an address aligned for every element type.
struct Array {
  Dtype dtype = Dtype::float32;
  std::vector<std::int64_t> shape;
  Bytes bytes;

  std::int64_t size() const { return element_count(shape); }
  friend bool operator==(const Array&, const Array&) = default;
};

using NamedArrays = std::map<std::string, Array, std::less<>>;

/// What an array is without its data: what a file says of it before anything large is read.
struct ArrayHead {
  Dtype dtype = Dtype::float32;
  std::vector<std::int64_t> shape;

  friend bool operator==(const ArrayHead&, const ArrayHead&) = default;
};

using NamedHeads = std::map<std::string, ArrayHead, std::less<>>;

/// "uint8[60000, 28, 28]"
std::string to_text(const Array& array);
std::string to_text(const ArrayHead& head);

/// Throws InputError unless the bytes are exactly as many as dtype and shape say.
void check(const Array& array);

/// The element type that a C++ type stands for.
template <class T>
constexpr Dtype dtype_of() {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8);
  if (std::is_same_v<T, bool>) return Dtype::boolean;
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? Dtype::float32 : Dtype::float64;
  constexpr bool kSigned = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1:
      return kSigned ? Dtype::int8 : Dtype::uint8;
    case 2:
      return kSigned ? Dtype::int16 : Dtype::uint16;
    case 4:
      return kSigned ? Dtype::int32 : Dtype::uint32;
    default:
      return kSigned ? Dtype::int64 : Dtype::uint64;
  }
}

/// Throws InputError naming both types unless the array holds `wanted` and passes check().
void check_dtype(const Array& array, Dtype wanted);

/// The elements without a copy. T must be the array's own element type, else InputError.
template <class T>
std::span<const T> view(const Array& array) {
  check_dtype(array, dtype_of<T>());
  return {reinterpret_cast<const T*>(array.bytes.data()), array.bytes.size() / sizeof(T)};
}

/// As view(), writable.
template <class T>
std::span<T> mutable_view(Array& array) {
  check_dtype(array, dtype_of<T>());
  return {reinterpret_cast<T*>(array.bytes.data()), array.bytes.size() / sizeof(T)};
}

/// A copy of `values` under a shape. Throws InputError when the counts differ.
template <class T>
Array make_array(std::vector<std::int64_t> shape, std::span<const T> values) {
  Array array{dtype_of<T>(), std::move(shape), Bytes(values.size_bytes())};
  if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), values.size_bytes());
  check(array);
  return array;
}

template <class T>
Array make_array(std::vector<std::int64_t> shape, const std::vector<T>& values) {
  return make_array(std::move(shape), std::span<const T>(values));
}

/// Every element as float64, whatever the type. Integers above 2^53 are rounded. Throws InputError
/// for complex arrays.
std::vector<double> to_doubles(const Array& array);

/// Every element as a complex number, whatever the type.
std::vector<std::complex<double>> to_complex(const Array& array);

inline bool is_complex(Dtype dtype) {
  return dtype == Dtype::complex64 || dtype == Dtype::complex128;
}

}  // namespace algprior::io
