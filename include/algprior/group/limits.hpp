#pragma once

#include <cstddef>

namespace algprior {

/// Bounds beyond which a construction stops with LimitError instead of filling the memory.
struct GroupLimits {
  std::size_t max_order = 1'000'000;   ///< largest group that is enumerated
  std::size_t max_cosets = 4'000'000;  ///< largest coset table of a presentation
};

}  // namespace algprior
