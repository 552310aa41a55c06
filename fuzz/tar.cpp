// tar archives: members lie within the input.
#include "algprior/io/tar.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    algprior::io::for_each_tar_member(
        bytes, "input", [&](const std::string&, algprior::io::ByteView content) {
          algprior::fuzz::require(content.empty() ||
                                  (content.data() >= bytes.data() &&
                                   content.data() + content.size() <= bytes.data() + bytes.size()));
        });
  });
}
