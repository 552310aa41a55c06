// Checkpoints: the bytes as a file, and the same bytes behind a head that vouches for them, which
// no fuzzer would guess.
#include "algprior/io/checkpoint_file.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace algprior;
  fuzz::run(data, size, [](io::ByteView bytes) { io::parse_checkpoint_file(bytes, "input"); });
  return fuzz::run(data, size, [](io::ByteView bytes) {
    const std::string whole = io::checkpoint_head(bytes) + std::string(io::as_text(bytes));
    const io::SafeTensors content = io::parse_checkpoint_file(io::as_bytes(whole), "input");
    const io::SafeTensors alone = io::parse_safetensors(bytes, "input");
    fuzz::require(content.tensors == alone.tensors && content.metadata == alone.metadata);
  });
}
