#pragma once

#include "algprior/io/bytes.hpp"

#include <string>

namespace algprior::io {

/// A deflate stream without a frame, as zip holds them. Throws as gunzip().
Bytes inflate_raw(ByteView packed, const std::string& name, std::uint64_t limit);
/// The first `count` bytes of such a stream, or fewer when it has no more.
Bytes inflate_start(ByteView packed, const std::string& name, std::size_t count);
Bytes deflate_raw(ByteView content);

[[noreturn]] void fail_limit(const std::string& name, std::uint64_t limit);

}  // namespace algprior::io
