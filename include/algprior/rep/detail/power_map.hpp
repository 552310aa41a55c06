#pragma once

#include "algprior/group/group.hpp"

#include <cstdint>
#include <vector>

namespace algprior {

/// Where the powers of a conjugacy class lie: class(g) ↦ class(g^n) for every integer n.
///
/// One generator g is kept for each conjugacy class of cyclic subgroups ⟨g⟩, with the classes of
/// g^0, g^1, …; every other class is the class of some g^t with t coprime to the order of g.
class PowerMap {
 public:
  /// Costs one product for each power of each kept generator.
  explicit PowerMap(const Group& group);

  /// The class of g^n for g in class c, any integer n.
  std::uint32_t power(std::size_t c, std::int64_t n) const;
  std::uint32_t inverse(std::size_t c) const { return power(c, -1); }
  /// The order of the elements of class c.
  std::uint32_t element_order(std::size_t c) const;
  /// The least common multiple of all element orders.
  std::uint32_t exponent() const noexcept { return exponent_; }

  /// The classes of g^0, g^1, …, g^(m−1) for each kept generator g of order m.
  const std::vector<std::vector<std::uint32_t>>& cyclic() const noexcept { return cyclic_; }
  /// Class c is the class of g^t, g the generator kept for cyclic()[s].
  struct Position {
    std::uint32_t s;
    std::uint32_t t;
  };
  Position position(std::size_t c) const { return position_[c]; }

 private:
  std::vector<std::vector<std::uint32_t>> cyclic_;
  std::vector<Position> position_;
  std::uint32_t exponent_ = 1;
};

}  // namespace algprior
