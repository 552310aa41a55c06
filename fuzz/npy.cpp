// NPY files: what is read can be written and read again.
#include "algprior/io/npy.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto array = algprior::io::parse_npy(bytes, "input");
    const auto again = algprior::io::parse_npy(algprior::io::to_npy(array), "again");
    algprior::fuzz::require(again == array);
  });
}
