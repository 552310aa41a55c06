#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"

#include <span>
#include <string_view>

namespace algprior {

/// One row of the catalogue: a symbol, with a number behind it or not, and what it builds. Each
/// group comes with its standard presentation and, where it has them, its defining action and
/// orthogonal matrices (geometry.hpp).
struct CatalogueEntry {
  std::string_view symbol;   ///< "C", "Dic", "cube"
  std::string_view example;  ///< "C12", "cube"
  std::string_view summary;  ///< one line for readers
  bool numbered;             ///< the symbol is followed by a number n
  unsigned smallest;         ///< smallest n
  unsigned step;             ///< n − smallest is a multiple of it
  double (*order)(unsigned n);
  Group (*build)(unsigned n, const GroupLimits& limits);
};

/// Every row, in the order in which a reader meets them. Products are not rows: see product.hpp.
std::span<const CatalogueEntry> catalogue();

}  // namespace algprior
