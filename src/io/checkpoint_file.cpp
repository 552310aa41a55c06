#include "algprior/io/checkpoint_file.hpp"

#include "algprior/base/error.hpp"
#include "algprior/io/checksum.hpp"

#include <fmt/format.h>

namespace algprior::io {
namespace {

constexpr std::string_view kCheckpointMagic = "algprior";
constexpr std::uint64_t kCheckpointVersion = 1;
constexpr std::size_t kChecksumDigits = 64;
constexpr std::size_t kCheckpointHead = 8 + 8 + 8 + kChecksumDigits;

std::string to_eight_bytes(std::uint64_t value) {
  std::string bytes(8, '\0');
  for (auto& byte : bytes) {
    byte = static_cast<char>(value & 0xffU);
    value >>= 8U;
  }
  return bytes;
}

std::uint64_t from_eight_bytes(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

[[noreturn]] void reject_checkpoint(const std::string& name, const std::string& why) {
  throw FileError({"this checkpoint cannot be used", name + ": " + why,
                   "a whole file written by this program",
                   "delete it to start the run again, or restore it from a copy"});
}

}  // namespace

std::string checkpoint_head(ByteView payload) {
  return std::string(kCheckpointMagic) + to_eight_bytes(kCheckpointVersion) +
         to_eight_bytes(payload.size()) + sha256(payload);
}

SafeTensors parse_checkpoint_file(ByteView bytes, const std::string& name) {
  const std::string_view text = as_text(bytes);
  if (text.size() < kCheckpointHead) reject_checkpoint(name, "it is cut short");
  if (!text.starts_with(kCheckpointMagic)) reject_checkpoint(name, "it is another kind of file");
  const auto version = from_eight_bytes(text.substr(8, 8));
  if (version != kCheckpointVersion) {
    reject_checkpoint(name, fmt::format("its format is version {}", version));
  }
  const auto length = from_eight_bytes(text.substr(16, 8));
  if (length != text.size() - kCheckpointHead) {
    reject_checkpoint(name, fmt::format("it has {} bytes after its header instead of {}",
                                        text.size() - kCheckpointHead, length));
  }
  const ByteView payload = bytes.subspan(kCheckpointHead);
  if (sha256(payload) != text.substr(24, kChecksumDigits)) {
    reject_checkpoint(name, "its checksum is wrong");
  }
  return parse_safetensors(payload, name);
}

}  // namespace algprior::io
