#include "algprior/io/bytes.hpp"

#include "algprior/base/cpu.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/text.hpp"
#include "cursor.hpp"
#include "inflate.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <zlib.h>

namespace algprior::io {
namespace fs = std::filesystem;

std::uint64_t default_byte_limit() {
  constexpr std::uint64_t kAlwaysAllowed = 64'000'000;
  return std::max(this_machine().memory_available_bytes / 2, kAlwaysAllowed);
}

Bytes read_bytes(const fs::path& path, std::uint64_t limit) {
  const auto fail = [&](int reason) {
    throw make_file_error("cannot read the file", path, reason);
  };
  std::error_code error;
  if (fs::is_directory(path, error)) fail(EISDIR);
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) fail(errno);
  Bytes bytes;
  if (const auto size = fs::file_size(path, error); !error && size <= limit)
    bytes.reserve(size + 1);
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  for (;;) {
    const std::size_t start = bytes.size();
    const std::size_t room = std::max(bytes.capacity() - start, kPiece);
    bytes.resize(start + room);
    const std::size_t got = std::fread(bytes.data() + start, 1, room, file.get());
    bytes.resize(start + got);
    if (bytes.size() > limit) fail_limit(path.string(), limit);
    if (got < room) break;
  }
  if (std::ferror(file.get()) != 0) fail(errno);
  return bytes;
}

void write_bytes(const fs::path& path, ByteView bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void fail_limit(const std::string& name, std::uint64_t limit) {
  throw LimitError({"the file holds more than the reader may unpack", name,
                    "at most " + format_bytes(limit),
                    "take a machine with more free memory, or a smaller file"});
}

bool is_gzip(ByteView bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B};
}

namespace {

constexpr std::size_t kMaxStep = std::size_t{1} << 30;  // zlib counts in unsigned int

struct Inflater {
  z_stream stream{};
  explicit Inflater(int window_bits) {
    if (inflateInit2(&stream, window_bits) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

/// Unpacks one deflate stream and returns how many packed bytes it had.
std::size_t inflate_into(Bytes& out, ByteView packed, int window_bits, const std::string& name,
                         std::uint64_t limit) {
  Inflater inflater(window_bits);
  z_stream& stream = inflater.stream;
  std::size_t used = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const std::size_t input = std::min(packed.size() - used, kMaxStep);
    const std::size_t start = out.size();
    const std::size_t room = std::clamp(out.size() / 2, std::size_t{1} << 14, std::size_t{1} << 26);
    out.resize(start + room);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + used));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + start);
    stream.avail_out = static_cast<uInt>(room);
    status = ::inflate(&stream, Z_NO_FLUSH);
    used += input - stream.avail_in;
    out.resize(start + room - stream.avail_out);
    if (out.size() > limit) fail_limit(name, limit);
    const bool starved = status == Z_BUF_ERROR || (stream.avail_in == 0 && stream.avail_out != 0);
    if (status != Z_STREAM_END && starved && used == packed.size()) {
      fail_damaged(name, "the compressed data is cut short");
    }
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail_damaged(name, "the compressed data is damaged");
    }
  }
  return used;
}

}  // namespace

Bytes gunzip(ByteView bytes, const std::string& name, std::uint64_t limit) {
  if (!is_gzip(bytes)) fail_damaged(name, "this is not a gzip file", "the bytes 1F 8B first");
  Bytes out;
  while (is_gzip(bytes)) {
    constexpr int kGzipWindow = 16 + MAX_WBITS;
    bytes = bytes.subspan(inflate_into(out, bytes, kGzipWindow, name, limit));
  }
  for (const std::byte byte : bytes) {
    if (byte != std::byte{0}) fail_damaged(name, "the gzip file has foreign bytes at its end");
  }
  return out;
}

Bytes inflate_raw(ByteView packed, const std::string& name, std::uint64_t limit) {
  Bytes out;
  if (inflate_into(out, packed, -MAX_WBITS, name, limit) != packed.size()) {
    fail_damaged(name, "the compressed data has foreign bytes at its end");
  }
  return out;
}

Bytes inflate_start(ByteView packed, const std::string& name, std::size_t count) {
  Bytes out(count);
  Inflater inflater(-MAX_WBITS);
  z_stream& stream = inflater.stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(std::min(packed.size(), kMaxStep));
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(count);
  const int status = ::inflate(&stream, Z_SYNC_FLUSH);
  if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
    fail_damaged(name, "the compressed data is damaged");
  }
  out.resize(count - stream.avail_out);
  return out;
}

namespace {

Bytes deflate_with(ByteView content, int window_bits) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, deflateEnd);
  Bytes out;
  std::size_t used = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const std::size_t input = std::min(content.size() - used, kMaxStep);
    const std::size_t start = out.size();
    out.resize(start + (std::size_t{1} << 16));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(content.data() + used));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + start);
    stream.avail_out = 1 << 16;
    status = ::deflate(&stream, used + input == content.size() ? Z_FINISH : Z_NO_FLUSH);
    used += input - stream.avail_in;
    out.resize(out.size() - stream.avail_out);
  }
  return out;
}

}  // namespace

Bytes gzip(ByteView content) {
  return deflate_with(content, 16 + MAX_WBITS);
}

Bytes deflate_raw(ByteView content) {
  return deflate_with(content, -MAX_WBITS);
}

}  // namespace algprior::io
