// NPZ archives: what is read can be written and read again.
#include "algprior/io/npy.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto arrays = algprior::io::parse_npz(bytes, "input", algprior::fuzz::kLimit);
    for (const auto& [name, head] : algprior::io::parse_npz_heads(bytes, "input")) {
      algprior::fuzz::require(arrays.at(name).shape == head.shape);
    }
    const auto packing = algprior::io::Packing::stored;
    const auto again = algprior::io::parse_npz(algprior::io::to_npz(arrays, packing), "again");
    algprior::fuzz::require(again == arrays);
  });
}
