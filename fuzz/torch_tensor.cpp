// Files of torch.save: a tensor that is read has the bytes that its shape says.
#include "algprior/io/torch_tensor.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    algprior::io::check(algprior::io::parse_torch_tensor(bytes, "input", algprior::fuzz::kLimit));
  });
}
