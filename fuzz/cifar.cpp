// CIFAR-10 binary files.
#include "algprior/io/idx.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto read = algprior::io::parse_cifar10(bytes, "input");
    algprior::io::check(read.images);
    algprior::io::check(read.labels);
  });
}
