#pragma once

#include "algprior/base/error.hpp"
#include "algprior/base/progress.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace algprior::store {

/// How patient a download is.
struct Patience {
  std::chrono::milliseconds connect{5000};
  std::chrono::seconds stall{20};  ///< the longest time without a byte
  int attempts = 4;                ///< how often a broken connection is taken up again
};

/// The other side cannot be reached at all: no name, no connection, no TLS. Other files on the same
/// host need not be tried.
class UnreachableError : public FileError {
 public:
  using FileError::FileError;
};

/// Fetches an address (https, or http) into `part`. Bytes that stand there already are kept and the
/// rest is asked for (Range); a server that cannot do that starts again. A connection that breaks
/// is taken up where it broke. Throws FileError with the server's answer, LimitError when more than
/// `largest` bytes come, Interrupted when a stop is asked for; what arrived stays in `part` for the
/// next time, unless the server refused it.
void download(const std::string& address, const std::filesystem::path& part, std::uint64_t largest,
              const Patience& patience, const ProgressSink& progress);

}  // namespace algprior::store
