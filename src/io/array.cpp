#include "algprior/io/array.hpp"

#include "algprior/base/error.hpp"

#include <bit>
#include <limits>
#include <utility>

namespace algprior::io {

static_assert(std::endian::native == std::endian::little,
              "arrays are kept in the byte order of the files");
static_assert(sizeof(bool) == 1);

std::size_t item_size(Dtype dtype) {
  switch (dtype) {
    case Dtype::boolean:
    case Dtype::uint8:
    case Dtype::int8:
      return 1;
    case Dtype::uint16:
    case Dtype::int16:
    case Dtype::float16:
    case Dtype::bfloat16:
      return 2;
    case Dtype::uint32:
    case Dtype::int32:
    case Dtype::float32:
      return 4;
    case Dtype::uint64:
    case Dtype::int64:
    case Dtype::float64:
    case Dtype::complex64:
      return 8;
    case Dtype::complex128:
      return 16;
  }
  throw InputError({"unknown element type", std::to_string(static_cast<int>(dtype)), {}, {}});
}

std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::boolean:
      return "bool";
    case Dtype::uint8:
      return "uint8";
    case Dtype::int8:
      return "int8";
    case Dtype::uint16:
      return "uint16";
    case Dtype::int16:
      return "int16";
    case Dtype::uint32:
      return "uint32";
    case Dtype::int32:
      return "int32";
    case Dtype::uint64:
      return "uint64";
    case Dtype::int64:
      return "int64";
    case Dtype::float16:
      return "float16";
    case Dtype::bfloat16:
      return "bfloat16";
    case Dtype::float32:
      return "float32";
    case Dtype::float64:
      return "float64";
    case Dtype::complex64:
      return "complex64";
    case Dtype::complex128:
      return "complex128";
  }
  return "unknown";
}

namespace {

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(extent);
  }
  return text + "]";
}

}  // namespace

std::int64_t element_count(const std::vector<std::int64_t>& shape, std::size_t bytes_each) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) {
      throw InputError({"an array's extent is negative", shape_text(shape), {}, {}});
    }
    empty = empty || extent == 0;
  }
  if (empty) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (count > kMax / extent) {
      throw LimitError({"an array is too large for this machine", shape_text(shape), {}, {}});
    }
    count *= extent;
  }
  if (bytes_each > 1 && count > kMax / static_cast<std::int64_t>(bytes_each)) {
    throw LimitError({"an array is too large for this machine", shape_text(shape), {}, {}});
  }
  return count;
}

std::string to_text(const Array& array) {
  return std::string(name_of(array.dtype)) + shape_text(array.shape);
}

std::string to_text(const ArrayHead& head) {
  return std::string(name_of(head.dtype)) + shape_text(head.shape);
}

void check(const Array& array) {
  const std::size_t item = item_size(array.dtype);
  const auto wanted = static_cast<std::uint64_t>(element_count(array.shape, item)) * item;
  if (wanted == array.bytes.size()) return;
  throw InputError({"an array's bytes do not fit its shape",
                    to_text(array),
                    std::to_string(wanted) + " bytes, found " + std::to_string(array.bytes.size()),
                    {}});
}

void check_dtype(const Array& array, Dtype wanted) {
  if (array.dtype != wanted) {
    throw InputError({"an array holds another element type", to_text(array),
                      std::string(name_of(wanted)), "convert the data, or use to_doubles()"});
  }
  check(array);
}

namespace {

double half_to_double(std::uint16_t bits) {
  const std::uint32_t exponent = (bits >> 10) & 0x1F;
  const std::uint32_t fraction = bits & 0x3FF;
  double magnitude = 0;
  if (exponent == 31) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = fraction * 0x1p-24;
  } else {
    magnitude = std::bit_cast<float>(((exponent + 112) << 23) | (fraction << 13));
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class T, class Convert>
void convert_items(const Array& array, std::vector<double>& out, Convert convert) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    T item;
    std::memcpy(&item, array.bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = convert(item);
  }
}

}  // namespace

std::vector<double> to_doubles(const Array& array) {
  check(array);
  std::vector<double> out(static_cast<std::size_t>(array.size()));
  const auto plain = [](auto value) { return static_cast<double>(value); };
  switch (array.dtype) {
    case Dtype::boolean:
      convert_items<std::uint8_t>(array, out, [](auto value) { return value != 0 ? 1.0 : 0.0; });
      break;
    case Dtype::uint8:
      convert_items<std::uint8_t>(array, out, plain);
      break;
    case Dtype::int8:
      convert_items<std::int8_t>(array, out, plain);
      break;
    case Dtype::uint16:
      convert_items<std::uint16_t>(array, out, plain);
      break;
    case Dtype::int16:
      convert_items<std::int16_t>(array, out, plain);
      break;
    case Dtype::uint32:
      convert_items<std::uint32_t>(array, out, plain);
      break;
    case Dtype::int32:
      convert_items<std::int32_t>(array, out, plain);
      break;
    case Dtype::uint64:
      convert_items<std::uint64_t>(array, out, plain);
      break;
    case Dtype::int64:
      convert_items<std::int64_t>(array, out, plain);
      break;
    case Dtype::float16:
      convert_items<std::uint16_t>(array, out, half_to_double);
      break;
    case Dtype::bfloat16:
      convert_items<std::uint16_t>(array, out, [](std::uint16_t bits) {
        return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
      });
      break;
    case Dtype::float32:
      convert_items<float>(array, out, plain);
      break;
    case Dtype::float64:
      convert_items<double>(array, out, plain);
      break;
    case Dtype::complex64:
    case Dtype::complex128:
      throw InputError({"an array holds complex numbers", to_text(array), "real numbers",
                        "save its real part, numpy.real(a)"});
  }
  return out;
}

std::vector<std::complex<double>> to_complex(const Array& array) {
  if (!is_complex(array.dtype)) {
    const std::vector<double> values = to_doubles(array);
    return {values.begin(), values.end()};
  }
  check(array);
  const bool single = array.dtype == Dtype::complex64;
  Array parts{single ? Dtype::float32 : Dtype::float64, {2 * array.size()}, array.bytes};
  const std::vector<double> values = to_doubles(parts);
  std::vector<std::complex<double>> out;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) out.emplace_back(values[i], values[i + 1]);
  return out;
}

}  // namespace algprior::io
