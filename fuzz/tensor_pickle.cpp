// The pickle inside a file of torch.save, put into a sound archive: the checksums of the zip format
// would keep a fuzzer away from it.
#include "../src/io/zip.hpp"
#include "algprior/io/torch_tensor.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    using namespace algprior::io;
    const Bytes archive = to_zip({{"archive/data.pkl", Bytes(bytes.begin(), bytes.end())},
                                  {"archive/data/0", Bytes(24, std::byte{1})}},
                                 Packing::stored);
    check(parse_torch_tensor(archive, "input", algprior::fuzz::kLimit));
  });
}
