#include "algprior/base/memory.hpp"

#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/text.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace algprior {
namespace {

std::string bytes_text(double bytes) {
  constexpr double kCountable = 1e18;
  return bytes < kCountable ? format_bytes(static_cast<std::uint64_t>(bytes))
                            : fmt::format("{:.1e} bytes", bytes);
}

}  // namespace

void check_memory(double bytes, const std::string& what, const std::string& where) {
  // An unknown size is no bound.
  static const auto memory = static_cast<double>(this_machine().memory_bytes);
  if (memory <= 0 || bytes <= memory) return;
  throw LimitError({what + " needs more memory than there is",
                    fmt::format("{}: {}", where, bytes_text(bytes)),
                    fmt::format("at most {}, this machine's memory", bytes_text(memory)),
                    "choose smaller sizes"});
}

}  // namespace algprior
