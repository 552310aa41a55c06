// Results of runs: what is read can be written and read again.
#include "algprior/paper/result.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto result = algprior::parse_result(std::string(algprior::io::as_text(bytes)), "input");
    const std::string written = algprior::to_json(result);
    algprior::fuzz::require(algprior::to_json(algprior::parse_result(written, "again")) == written);
  });
}
