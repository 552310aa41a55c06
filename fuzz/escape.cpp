// Text for a terminal: no control character stays, and what is shown is shown as it is. A name that
// is accepted is one folder.
#include "algprior/base/escape.hpp"

#include "fuzz.hpp"

#include <filesystem>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const std::string_view text = algprior::io::as_text(bytes);
    const std::string shown = algprior::escape_controls(text);
    for (const char c : shown) {
      const auto byte = static_cast<unsigned char>(c);
      algprior::fuzz::require((byte >= 0x20 && byte != 0x7F) || c == '\n' || c == '\t');
    }
    algprior::fuzz::require(algprior::escape_controls(shown) == shown);
    algprior::check_name(text, "a row");
    const std::filesystem::path path = std::filesystem::path("runs") / std::string(text) / "0";
    algprior::fuzz::require(shown == text);
    algprior::fuzz::require(path.lexically_normal() == path);
    algprior::fuzz::require(std::distance(path.begin(), path.end()) == 3);
  });
}
