#include "algprior/train/checkpoint.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/arrays.hpp"

#include <cstring>

#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::string_view kMagic = "algprior";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kChecksumDigits = 64;
constexpr std::size_t kHeaderSize = 8 + 8 + 8 + kChecksumDigits;

std::string to_little_endian(std::uint64_t value) {
  std::string bytes(8, '\0');
  for (auto& byte : bytes) {
    byte = static_cast<char>(value & 0xffU);
    value >>= 8U;
  }
  return bytes;
}

std::uint64_t from_little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

[[noreturn]] void reject(const std::string& name, const std::string& why) {
  throw FileError({"this checkpoint cannot be used", name + ": " + why,
                   "a whole file written by this program",
                   "delete it to start the run again, or restore it from a copy"});
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  io::SafeTensors content;
  for (const auto& [name, tensor] : checkpoint.tensors) content.tensors[name] = to_array(tensor);
  for (const auto& [name, text] : checkpoint.texts) content.metadata[name] = text;
  const auto payload = io::to_safetensors(content);
  AtomicFile file(path);
  file.write(kMagic);
  file.write(to_little_endian(kVersion));
  file.write(to_little_endian(payload.size()));
  file.write(io::sha256(payload));
  file.write(std::span<const std::byte>(payload));
  file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  return parse_checkpoint(io::as_text(io::read_bytes(path)), path.string());
}

Checkpoint parse_checkpoint(std::string_view text, const std::string& path) {
  if (text.size() < kHeaderSize) reject(path, "it is cut short");
  if (!text.starts_with(kMagic)) reject(path, "it is another kind of file");
  const auto version = from_little_endian(text.substr(8, 8));
  if (version != kVersion) reject(path, fmt::format("its format is version {}", version));
  const auto length = from_little_endian(text.substr(16, 8));
  if (length != text.size() - kHeaderSize) {
    reject(path, fmt::format("it has {} bytes after its header instead of {}",
                             text.size() - kHeaderSize, length));
  }
  const auto payload = io::as_bytes(text).subspan(kHeaderSize);
  if (io::sha256(payload) != text.substr(24, kChecksumDigits))
    reject(path, "its checksum is wrong");
  Checkpoint checkpoint;
  const auto content = io::parse_safetensors(payload, path);
  for (const auto& [name, array] : content.tensors) checkpoint.tensors[name] = to_tensor(array);
  for (const auto& [name, value] : content.metadata) checkpoint.texts[name] = value;
  return checkpoint;
}

}  // namespace algprior
