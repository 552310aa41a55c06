// safetensors files: what is read can be written and read again.
#include "algprior/io/safetensors.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto content = algprior::io::parse_safetensors(bytes, "input");
    const auto again =
        algprior::io::parse_safetensors(algprior::io::to_safetensors(content), "again");
    algprior::fuzz::require(again.tensors == content.tensors && again.metadata == content.metadata);
  });
}
