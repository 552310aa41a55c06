// Manifests of sweeps: only what a checksum vouches for is taken.
#include "algprior/sweep/manifest.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto manifest =
        algprior::sweep::parse_manifest(std::string(algprior::io::as_text(bytes)), "input");
    const auto again = algprior::sweep::parse_manifest(algprior::sweep::to_text(manifest), "again");
    algprior::fuzz::require(again.tasks.size() == manifest.tasks.size());
  });
}
