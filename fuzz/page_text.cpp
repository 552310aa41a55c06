// Text for a page: whatever the bytes are, no tag, no quote and no bare ampersand is left.
#include "algprior/report/markup.hpp"
#include "fuzz.hpp"

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const std::string text = algprior::report::escape(algprior::io::as_text(bytes));
    algprior::fuzz::require(text.find_first_of("<>\"'") == std::string::npos);
    algprior::fuzz::require(algprior::report::escape(text).size() >= text.size());
  });
}
