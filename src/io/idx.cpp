#include "algprior/io/idx.hpp"

#include "cursor.hpp"

#include <algorithm>
#include <utility>

namespace algprior::io {
namespace {

constexpr std::pair<std::uint8_t, Dtype> kIdxTypes[] = {
    {0x08, Dtype::uint8}, {0x09, Dtype::int8},    {0x0B, Dtype::int16},
    {0x0C, Dtype::int32}, {0x0D, Dtype::float32}, {0x0E, Dtype::float64}};

constexpr std::size_t kCifarRecord = 1 + 3 * 32 * 32;

}  // namespace

Array parse_idx(ByteView bytes, const std::string& name, std::uint64_t limit) {
  Bytes unpacked;
  if (is_gzip(bytes)) {
    unpacked = gunzip(bytes, name, limit);
    bytes = unpacked;
  }
  Cursor cursor(bytes, name, "IDX");
  const auto zero = cursor.big<std::uint16_t>();
  const auto code = cursor.big<std::uint8_t>();
  const auto rank = cursor.big<std::uint8_t>();
  const auto type = std::find_if(std::begin(kIdxTypes), std::end(kIdxTypes),
                                 [&](auto t) { return t.first == code; });
  if (zero != 0 || type == std::end(kIdxTypes)) {
    throw FileError({"this is not an IDX file", name,
                     "two zero bytes, then an element type 8, 9, 11, 12, 13 or 14",
                     "check that the name belongs to the right file"});
  }
  Array array{type->second, {}, {}};
  for (int i = 0; i < rank; ++i) array.shape.push_back(cursor.big<std::uint32_t>());
  const ByteView data = cursor.take(claimed_bytes(array, name));
  if (cursor.left() != 0) {
    fail_damaged(name, "the IDX file has " + std::to_string(cursor.left()) + " bytes left over",
                 to_text(array) + " ends at offset " + std::to_string(cursor.position()));
  }
  array.bytes.assign(data.begin(), data.end());
  swap_items(array.bytes, item_size(array.dtype));
  return array;
}

Array read_idx(const std::filesystem::path& path, std::uint64_t limit) {
  return parse_idx(read_bytes(path, limit), path.string(), limit);
}

Bytes to_idx(const Array& array) {
  check(array);
  const auto type = std::find_if(std::begin(kIdxTypes), std::end(kIdxTypes),
                                 [&](auto t) { return t.second == array.dtype; });
  const bool fits = std::all_of(array.shape.begin(), array.shape.end(),
                                [](std::int64_t extent) { return extent <= 0xFFFFFFFF; });
  if (type == std::end(kIdxTypes) || array.shape.size() > 255 || !fits) {
    throw InputError({"an IDX file cannot hold this array", to_text(array),
                      "uint8, int8, int16, int32, float32 or float64, at most 255 dimensions",
                      "write it as NPY"});
  }
  Bytes out;
  append_big(out, std::uint16_t{0});
  append_big(out, type->first);
  append_big(out, static_cast<std::uint8_t>(array.shape.size()));
  for (const std::int64_t extent : array.shape) append_big(out, static_cast<std::uint32_t>(extent));
  Bytes data = array.bytes;
  swap_items(data, item_size(array.dtype));
  append(out, data);
  return out;
}

void write_idx(const std::filesystem::path& path, const Array& array) {
  write_bytes(path, to_idx(array));
}

LabelledImages parse_cifar10(ByteView bytes, const std::string& name) {
  if (bytes.empty() || bytes.size() % kCifarRecord != 0) {
    throw FileError(
        {"this is not a CIFAR-10 binary file", name,
         "a multiple of 3073 bytes, found " + std::to_string(bytes.size()),
         "take the binary version of the data set (data_batch_1.bin), not the Python one"});
  }
  const std::size_t count = bytes.size() / kCifarRecord;
  const auto n = static_cast<std::int64_t>(count);
  LabelledImages out{{Dtype::uint8, {n, 3, 32, 32}, {}}, {Dtype::uint8, {n}, {}}};
  out.images.bytes.reserve(count * (kCifarRecord - 1));
  for (std::size_t i = 0; i < count; ++i) {
    const ByteView record = bytes.subspan(i * kCifarRecord, kCifarRecord);
    if (std::to_integer<int>(record[0]) > 9) {
      fail_damaged(name,
                   "a CIFAR-10 record has label " + std::to_string(std::to_integer<int>(record[0])),
                   "0 to 9 in record " + std::to_string(i));
    }
    out.labels.bytes.push_back(record[0]);
    append(out.images.bytes, record.subspan(1));
  }
  return out;
}

LabelledImages read_cifar10(const std::filesystem::path& path) {
  return parse_cifar10(read_bytes(path), path.string());
}

}  // namespace algprior::io
