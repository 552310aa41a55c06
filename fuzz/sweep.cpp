// Sweep files over rows of the paper. What is accepted is a manifest that reads back to itself.
#include "algprior/sweep/plan.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const std::string text(algprior::io::as_text(bytes));
    if (text.find("file") != std::string::npos) return;  // any file of this machine
    const auto manifest = algprior::sweep::parse_sweep(text, "input.toml");
    algprior::fuzz::require(!manifest.tasks.empty());
    const std::string written = algprior::sweep::to_text(manifest);
    const auto again = algprior::sweep::parse_manifest(written, "again");
    algprior::fuzz::require(algprior::sweep::to_text(again) == written);
  });
}
