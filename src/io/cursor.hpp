#pragma once

#include "algprior/base/error.hpp"
#include "algprior/io/bytes.hpp"

#include <concepts>
#include <cstring>
#include <string>

namespace algprior::io {

/// What every reader of this room says about a damaged file.
[[noreturn]] inline void fail_damaged(const std::string& name, const std::string& what,
                                      const std::string& expected = {}) {
  throw FileError({what, name, expected, "fetch or write the file again"});
}

/// A position in bytes that cannot leave them. Running out throws FileError.
class Cursor {
 public:
  Cursor(ByteView bytes, const std::string& name, const char* format)
      : bytes_(bytes), name_(name), format_(format) {}

  std::size_t position() const { return position_; }
  std::size_t left() const { return bytes_.size() - position_; }

  ByteView take(std::uint64_t count) {
    if (count > left()) {
      fail_damaged(name_, std::string("the ") + format_ + " file is cut short",
                   std::to_string(count) + " bytes at offset " + std::to_string(position_) +
                       ", found " + std::to_string(left()));
    }
    const ByteView part = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += static_cast<std::size_t>(count);
    return part;
  }

  void seek(std::uint64_t position) {
    position_ = 0;
    take(position);
  }

  template <std::unsigned_integral T>
  T little() {
    const ByteView part = take(sizeof(T));
    T value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) {
      value = static_cast<T>((std::uint64_t{value} << 8) | std::to_integer<std::uint64_t>(part[i]));
    }
    return value;
  }

  template <std::unsigned_integral T>
  T big() {
    T value = 0;
    for (const std::byte byte : take(sizeof(T))) {
      value = static_cast<T>((std::uint64_t{value} << 8) | std::to_integer<std::uint64_t>(byte));
    }
    return value;
  }

 private:
  ByteView bytes_;
  const std::string& name_;
  const char* format_;
  std::size_t position_ = 0;
};

/// The size in bytes that a file's header claims for its data.
inline std::uint64_t claimed_bytes(const Array& array, const std::string& name) {
  try {
    const std::size_t item = item_size(array.dtype);
    return static_cast<std::uint64_t>(element_count(array.shape, item)) * item;
  } catch (const Error&) {
    fail_damaged(name, "the header claims an impossible shape: " + to_text(array));
  }
}

inline void append(Bytes& out, ByteView bytes) {
  // Not insert(): g++ 12 warns falsely about it on a vector that it knows to be empty.
  const std::size_t start = out.size();
  out.resize(start + bytes.size());
  if (!bytes.empty()) std::memcpy(out.data() + start, bytes.data(), bytes.size());
}

template <std::unsigned_integral T>
void append_little(Bytes& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
  }
}

template <std::unsigned_integral T>
void append_big(Bytes& out, T value) {
  for (std::size_t i = sizeof(T); i-- > 0;) {
    out.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
  }
}

/// Reverses the bytes of each element: big-endian files on a little-endian machine.
inline void swap_items(Bytes& bytes, std::size_t item) {
  for (std::size_t start = 0; start + item <= bytes.size(); start += item) {
    for (std::size_t i = 0; i < item / 2; ++i) {
      std::swap(bytes[start + i], bytes[start + item - 1 - i]);
    }
  }
}

}  // namespace algprior::io
