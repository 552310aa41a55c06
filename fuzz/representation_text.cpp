// Texts of representations of a product group: whatever the text, a representation or an Error.
#include "algprior/group/make_group.hpp"
#include "algprior/rep/make_representation.hpp"
#include "fuzz.hpp"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const algprior::Group group = algprior::make_group("D3xC2");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return algprior::fuzz::run(data, size, [&](auto) {
    const auto representation = algprior::make_representation(group, text);
    algprior::fuzz::require(representation.dimension() >= 1 &&
                            representation.dimension() <= algprior::kMostTextDimension);
    algprior::fuzz::require(representation.group().order() == group.order());
  });
}
