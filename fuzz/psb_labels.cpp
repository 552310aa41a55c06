// Label files of the Princeton Shape Benchmark: ids are numbers, never paths.
#include "algprior/mesh/collection.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    for (const auto& [category, ids] :
         algprior::mesh::parse_psb_labels(algprior::io::as_text(bytes), "input")) {
      algprior::fuzz::require(!category.empty());
      for (const std::string& id : ids) {
        algprior::fuzz::require(id.find_first_not_of("+0123456789") == std::string::npos);
      }
    }
  });
}
