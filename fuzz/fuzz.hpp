#pragma once

#include "algprior/base/error.hpp"
#include "algprior/io/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace algprior::fuzz {

/// What a reader may unpack under the fuzzer: small, so that a bomb shows as LimitError and not as
/// an exhausted machine.
inline constexpr std::uint64_t kLimit = std::uint64_t{1} << 24;

/// Runs a reader on the fuzzer's bytes. An Error is a proper answer; anything else ends the
/// process.
template <class Read>
int run(const std::uint8_t* data, std::size_t size, Read&& read) {
  try {
    read(std::as_bytes(std::span(data, size)));
  } catch (const Error&) {
  }
  return 0;
}

/// Ends the process, for the fuzzer to see, when a law does not hold.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace algprior::fuzz
