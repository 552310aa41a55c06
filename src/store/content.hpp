#pragma once

#include "algprior/io/bytes.hpp"
#include "algprior/store/catalogue.hpp"

namespace algprior::store {

/// What an archive, or a file whose size is not known, may have at most.
inline constexpr std::uint64_t kLargestArchive = std::uint64_t{1} << 30;

/// Whether the bytes are the content: size and every checksum that is known.
bool holds(const Content& content, io::ByteView bytes);

/// How many bytes are worth unpacking or downloading for it.
std::uint64_t largest_size(const Content& content);

}  // namespace algprior::store
