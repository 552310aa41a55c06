// IDX files, gzipped or not: what is read can be written and read again.
#include "algprior/io/idx.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto array = algprior::io::parse_idx(bytes, "input", algprior::fuzz::kLimit);
    const auto again = algprior::io::parse_idx(algprior::io::to_idx(array), "again");
    algprior::fuzz::require(again == array);
  });
}
