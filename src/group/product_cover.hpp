#pragma once

#include <cstdint>
#include <vector>

namespace algprior {

/// Products in a large group without its table.
///
/// A few elements x₁ … x_m, m ≈ log₂|G| + 5, are chosen so that every h is a subproduct
/// x₁^{ε₁} ⋯ x_m^{ε_m}, ε ∈ {0,1} (random elements do this, by Erdős and Rényi). The exponents are
/// cut into blocks of `width` bits, and for each value of a block one column g ↦ g·(its subproduct)
/// is stored. A product is then one lookup a block, three or four at order 10,000.
class ProductCover {
 public:
  ProductCover() = default;
  /// From the columns left[s][g] = generator s · g. About 100·|G| steps. Throws LimitError when 31
  /// factors do not suffice, which happens beyond 10^7 elements only.
  ProductCover(const std::vector<std::vector<std::uint32_t>>& left, std::size_t order);

  std::uint32_t multiply(std::uint32_t g, std::uint32_t h) const noexcept {
    std::size_t base = 0;
    for (std::uint32_t code = code_[h]; code != 0; code >>= width_, base += block_) {
      const std::uint32_t value = code & mask_;
      if (value != 0) g = columns_[base + value * order_ + g];
    }
    return g;
  }

 private:
  using Column = std::vector<std::uint32_t>;
  void fill(const std::vector<Column>& chosen);

  std::size_t order_ = 0;
  std::size_t block_ = 0;  // entries a block: order · 2^width
  std::uint32_t width_ = 1;
  std::uint32_t mask_ = 1;
  std::vector<std::uint32_t> code_;     // element → exponents ε as bits
  std::vector<std::uint32_t> columns_;  // [block][value][g]
};

}  // namespace algprior
