#include "algprior/io/npy.hpp"

#include "cursor.hpp"
#include "npy_head.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace algprior::io {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMaxRank = 64;

struct Header {
  std::string descr;
  bool fortran = false;
  std::vector<std::int64_t> shape;
};

/// The header is a Python dictionary literal with the keys descr, fortran_order and shape.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Header parse() {
    Header header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        skip_space();
        if (peek() == '[') {
          throw FileError({"the NPY file holds a structured array", name_, "one plain number type",
                           "save each field as an array of its own"});
        }
        header.descr = string();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header.fortran = boolean();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.shape = tuple();
      } else {
        fail();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!text_.empty() || !has_descr || !has_order || !has_shape) fail();
    return header;
  }

 private:
  [[noreturn]] void fail() const {
    fail_damaged(name_, "the NPY header is damaged",
                 "a dictionary of descr, fortran_order and shape");
  }

  char peek() const { return text_.empty() ? '\0' : text_.front(); }

  void skip_space() {
    while (peek() == ' ' || peek() == '\n') text_.remove_prefix(1);
  }

  bool accept(char wanted) {
    skip_space();
    if (peek() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail();
  }

  std::string string() {
    skip_space();
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) fail();
    std::string out(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return out;
  }

  bool boolean() {
    skip_space();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(0, word.size()) != word) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    fail();
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      skip_space();
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc() || value < 0 || values.size() == kMaxRank) fail();
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      if (peek() == 'L') text_.remove_prefix(1);  // written by Python 2
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  std::string_view text_;
  const std::string& name_;
};

constexpr std::pair<std::string_view, Dtype> kNpyTypes[] = {
    {"b1", Dtype::boolean},   {"u1", Dtype::uint8},      {"i1", Dtype::int8},
    {"u2", Dtype::uint16},    {"i2", Dtype::int16},      {"u4", Dtype::uint32},
    {"i4", Dtype::int32},     {"u8", Dtype::uint64},     {"i8", Dtype::int64},
    {"f2", Dtype::float16},   {"f4", Dtype::float32},    {"f8", Dtype::float64},
    {"c8", Dtype::complex64}, {"c16", Dtype::complex128}};

Dtype dtype_named(const std::string& descr, const std::string& name) {
  const std::string_view code = std::string_view(descr).substr(descr.empty() ? 0 : 1);
  const auto type = std::find_if(std::begin(kNpyTypes), std::end(kNpyTypes),
                                 [&](auto t) { return t.first == code; });
  const bool order = !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string::npos;
  if (type != std::end(kNpyTypes) && order) return type->second;
  const bool object = code.substr(0, 1) == "O";
  throw FileError({object ? "the NPY file holds pickled Python objects"
                          : "the NPY file holds a type that is not read here: " + descr,
                   name, "bool, an integer, float16 to float64, complex64 or complex128",
                   "convert the array in Python with astype(\"float32\") and save it again"});
}

/// Column-major to row-major.
Bytes transposed(ByteView data, const std::vector<std::int64_t>& shape, std::size_t item) {
  Bytes out(data.size());
  if (data.empty()) return out;
  const std::size_t rank = shape.size();
  std::vector<std::size_t> stride(rank);  // of the result, in bytes
  std::size_t step = item;
  for (std::size_t i = rank; i-- > 0;) {
    stride[i] = step;
    step *= static_cast<std::size_t>(shape[i]);
  }
  std::vector<std::int64_t> index(rank, 0);
  std::size_t target = 0;
  for (std::size_t source = 0; source < data.size(); source += item) {
    std::copy_n(data.data() + source, item, out.data() + target);
    for (std::size_t i = 0; i < rank; ++i) {
      target += stride[i];
      if (++index[i] < shape[i]) break;
      target -= stride[i] * static_cast<std::size_t>(shape[i]);
      index[i] = 0;
    }
  }
  return out;
}

}  // namespace

NpyHead parse_npy_head(ByteView bytes, const std::string& name) {
  Cursor cursor(bytes, name, "NPY");
  if (bytes.size() < kMagic.size() || as_text(cursor.take(kMagic.size())) != kMagic) {
    throw FileError(
        {"this is not an NPY file", name, "\\x93NUMPY first", "write it with numpy.save"});
  }
  const auto major = cursor.little<std::uint8_t>();
  cursor.take(1);
  if (major < 1 || major > 3) {
    fail_damaged(name, "NPY version " + std::to_string(major), "version 1, 2 or 3");
  }
  const std::uint64_t length =
      major == 1 ? cursor.little<std::uint16_t>() : cursor.little<std::uint32_t>();
  if (length > kMaxNpyHeader) fail_damaged(name, "the NPY header is longer than 64 KiB");
  Header header = HeaderParser(as_text(cursor.take(length)), name).parse();
  const Dtype dtype = dtype_named(header.descr, name);
  return {{dtype, std::move(header.shape)},
          header.fortran,
          header.descr[0] == '>',
          bytes.size() - cursor.left()};
}

std::uint64_t data_bytes(const ArrayHead& head, const std::string& name) {
  return claimed_bytes({head.dtype, head.shape, {}}, name);
}

Array parse_npy(ByteView bytes, const std::string& name) {
  const NpyHead head = parse_npy_head(bytes, name);
  Cursor cursor(bytes, name, "NPY");
  cursor.take(head.offset);
  Array array{head.array.dtype, head.array.shape, {}};
  const std::size_t item = item_size(array.dtype);
  const ByteView data = cursor.take(data_bytes(head.array, name));
  if (cursor.left() != 0) {
    fail_damaged(name, "the NPY file has " + std::to_string(cursor.left()) + " bytes left over",
                 to_text(array));
  }
  if (head.fortran && array.shape.size() > 1) {
    array.bytes = transposed(data, array.shape, item);
  } else {
    array.bytes.assign(data.begin(), data.end());
  }
  if (head.big_endian) swap_items(array.bytes, is_complex(array.dtype) ? item / 2 : item);
  if (array.dtype == Dtype::boolean) {
    // Any other pattern would be undefined behaviour once seen as bool.
    for (std::byte& byte : array.bytes) byte = std::byte{byte != std::byte{0}};
  }
  return array;
}

Array read_npy(const std::filesystem::path& path) {
  return parse_npy(read_bytes(path), path.string());
}

Bytes to_npy(const Array& array) {
  check(array);
  const auto type = std::find_if(std::begin(kNpyTypes), std::end(kNpyTypes),
                                 [&](auto t) { return t.second == array.dtype; });
  if (type == std::end(kNpyTypes) || array.shape.size() > kMaxRank) {
    throw InputError({"an NPY file cannot hold this array", to_text(array),
                      "a type other than bfloat16, at most 64 dimensions",
                      "write it as safetensors, or convert it to float32"});
  }
  std::string header = "{'descr': '";
  header += (item_size(array.dtype) == 1 ? "|" : "<") + std::string(type->first);
  header += "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    header += (i == 0 ? "" : ", ") + std::to_string(array.shape[i]);
  }
  header += array.shape.size() == 1 ? ",), }" : "), }";
  // The data starts at a multiple of 64 bytes, so that it can be mapped.
  while ((kMagic.size() + 4 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  Bytes out;
  append(out, as_bytes(kMagic));
  append_little(out, std::uint8_t{1});
  append_little(out, std::uint8_t{0});
  append_little(out, static_cast<std::uint16_t>(header.size()));
  append(out, as_bytes(header));
  append(out, array.bytes);
  return out;
}

void write_npy(const std::filesystem::path& path, const Array& array) {
  write_bytes(path, to_npy(array));
}

}  // namespace algprior::io
