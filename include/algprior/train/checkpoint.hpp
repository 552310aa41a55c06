#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

namespace algprior {

/// Everything that a run needs to go on: named tensors and named texts.
struct Checkpoint {
  std::map<std::string, at::Tensor> tensors;
  std::map<std::string, std::string> texts;
};

/// One file: "algprior" in 8 bytes, the format's version (u64), the payload's length (u64), the
/// payload's SHA-256 (64 hexadecimal digits), the payload (safetensors). Little-endian. Written
/// aside, synced and renamed: at any moment the name holds a whole checkpoint, this one or the one
/// before. Throws FileError.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws FileError when the file is missing, foreign, cut short, longer than it says, of another
/// version or damaged; nothing of a damaged file is used.
Checkpoint read_checkpoint(const std::filesystem::path& path);
/// The same of the bytes of such a file; `name` is for messages.
Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name);

}  // namespace algprior
