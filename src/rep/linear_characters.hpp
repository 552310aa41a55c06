#pragma once

#include "algprior/group/group.hpp"

#include <cstdint>
#include <vector>

namespace algprior {

/// The homomorphisms G → C*, read off the abelian quotient G/G′.
///
/// G/G′ is a chain of cyclic extensions by x_1, x_2, …; every coset is x_1^(e_1) x_2^(e_2) … with
/// 0 ≤ e_i < r_i, and a character is its values ζ_E^(y_i) on the x_i, E the exponent of G.
class LinearCharacters {
 public:
  LinearCharacters(const Group& group, std::uint32_t exponent);

  std::size_t count() const noexcept { return count_; }
  /// The logarithms of character number i on the classes: λ_i = ζ_E^(log). λ_0 is trivial.
  std::vector<std::uint32_t> logarithms(std::size_t i) const;
  /// Numbers of characters that generate all of them under pointwise product.
  std::vector<std::size_t> generators() const;

 private:
  struct Step {
    std::uint32_t order;                  // r_i
    std::vector<std::uint32_t> relation;  // x_i^(r_i) in the x_1 … x_(i−1)
  };
  std::uint32_t exponent_;
  std::size_t count_ = 1;
  std::vector<Step> steps_;
  std::vector<std::vector<std::uint32_t>> coordinates_;  // of each class
};

}  // namespace algprior
