#pragma once

#include "algprior/io/bytes.hpp"
#include "algprior/io/safetensors.hpp"

#include <string>

namespace algprior::io {

/// The head of a checkpoint: "algprior" in 8 bytes, the format's version (u64), the payload's
/// length (u64), the payload's SHA-256 (64 hexadecimal digits). Little-endian. The payload follows,
/// a safetensors file.
std::string checkpoint_head(ByteView payload);

/// The payload of a whole checkpoint; `name` is for messages. Throws FileError when the bytes are
/// foreign, cut short, longer than they say, of another version or damaged.
SafeTensors parse_checkpoint_file(ByteView bytes, const std::string& name);

}  // namespace algprior::io
