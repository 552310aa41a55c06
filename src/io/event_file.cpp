#include "algprior/io/event_file.hpp"

#include "algprior/base/file.hpp"
#include "algprior/io/checksum.hpp"
#include "cursor.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace algprior::io {
namespace {

// Protocol-buffer wire types.
enum class Wire : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void append_varint(Bytes& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::byte>((value & 0x7F) | 0x80));
  out.push_back(static_cast<std::byte>(value));
}

void append_tag(Bytes& out, std::uint64_t field, Wire wire) {
  append_varint(out, (field << 3) | static_cast<std::uint64_t>(wire));
}

void append_field(Bytes& out, std::uint64_t field, ByteView bytes) {
  append_tag(out, field, Wire::bytes);
  append_varint(out, bytes.size());
  append(out, bytes);
}

void append_wall_time(Bytes& out, double wall_time) {
  append_tag(out, 1, Wire::fixed64);
  append_little(out, std::bit_cast<std::uint64_t>(wall_time));
}

// The format rotates and shifts its checksums, because a checksum stored beside checksummed data is
// itself often checksummed.
std::uint32_t masked_crc(ByteView bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8u;
}

double now() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  return name.data();
}

}  // namespace

Bytes to_record(ByteView payload) {
  Bytes out;
  append_little(out, std::uint64_t{payload.size()});
  append_little(out, masked_crc(out));
  append(out, payload);
  append_little(out, masked_crc(payload));
  return out;
}

Bytes to_scalar_event(double wall_time, std::int64_t step, std::string_view tag, float value) {
  Bytes item;
  append_field(item, 1, as_bytes(tag));
  append_tag(item, 2, Wire::fixed32);
  append_little(item, std::bit_cast<std::uint32_t>(value));
  Bytes summary;
  append_field(summary, 1, item);
  Bytes event;
  append_wall_time(event, wall_time);
  append_tag(event, 2, Wire::varint);
  append_varint(event, static_cast<std::uint64_t>(step));
  append_field(event, 5, summary);
  return event;
}

Bytes to_version_event(double wall_time) {
  Bytes event;
  append_wall_time(event, wall_time);
  append_field(event, 3, as_bytes("brain.Event:2"));
  return event;
}

EventFile::EventFile(const std::filesystem::path& folder) {
  const double time = now();
  const std::string stem = "events.out.tfevents." +
                           std::to_string(static_cast<std::int64_t>(time)) + "." + host_name() +
                           "." + std::to_string(::getpid());
  // Two files of one process within a second must not share a name.
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    path_ = folder / (attempt == 0 ? stem : stem + "." + std::to_string(attempt));
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && (errno != EEXIST || attempt == 1000)) {
      throw FileError(
          {"cannot create the TensorBoard event file (" + std::string(std::strerror(errno)) + ")",
           path_.string(),
           "a folder that exists and is writable",
           {}});
    }
  }
  append(to_record(to_version_event(time)));
}

EventFile::~EventFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

EventFile::EventFile(EventFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

EventFile& EventFile::operator=(EventFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void EventFile::scalar(std::string_view tag, double value, std::int64_t step) {
  append(to_record(to_scalar_event(now(), step, tag, static_cast<float>(value))));
}

void EventFile::append(ByteView record) {
  while (!record.empty()) {
    const ssize_t written = ::write(descriptor_, record.data(), record.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw FileError(
          {"cannot write the TensorBoard event file (" + std::string(std::strerror(errno)) + ")",
           path_.string(),
           {},
           "free some disk space"});
    }
    record = record.subspan(static_cast<std::size_t>(written));
  }
}

}  // namespace algprior::io
