// Group names, permutations, presentations and tables: whatever the text, a group or an Error. A
// presentation that is read can be written and read again.
#include "algprior/group/make_group.hpp"
#include "algprior/group/presentation.hpp"
#include "fuzz.hpp"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Small bounds: the parser is under test, not the patience of the machine.
  algprior::GroupLimits limits;
  limits.max_order = 500;
  limits.max_cosets = 2000;
  return algprior::fuzz::run(data, size, [&](auto) {
    if (!text.empty() && text.front() == '<') {
      const auto once = algprior::parse_presentation(text);
      const auto again = algprior::parse_presentation(algprior::to_string(once));
      algprior::fuzz::require(again.relators == once.relators);
    }
    const algprior::Group group = algprior::make_group(text, limits);
    algprior::fuzz::require(group.order() >= 1 && group.order() <= limits.max_order);
  });
}
