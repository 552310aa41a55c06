#pragma once

#include "algprior/group/group.hpp"
#include "algprior/rep/detail/prime_field.hpp"

#include <cstdint>
#include <vector>

namespace algprior {

/// Multiplication by z = Σ a_j C⁺_j, a combination of class sums, on class functions over F_p:
/// (T f)(g) = Σ_j a_j Σ_{x ∈ C_j} f(xg). Every irreducible character χ is an eigenvector, with
/// value ω_χ(z) = Σ_j a_j |C_j| χ(C_j) / χ(e). Few small classes make it sparse.
class ClassSumOperator {
 public:
  /// Costs k · Σ_j |C_j| products.
  ClassSumOperator(const Group& group, const PrimeField& field,
                   const std::vector<std::uint32_t>& classes,
                   const std::vector<std::uint32_t>& coefficients);

  std::vector<std::uint32_t> apply(const std::vector<std::uint32_t>& f) const;
  /// (T f)(e): the eigenvalue times f(e) for an eigenvector.
  std::uint32_t apply_at_identity(const std::vector<std::uint32_t>& f) const { return row(0, f); }

 private:
  struct Entry {
    std::uint32_t column;
    std::uint32_t coefficient;
  };
  std::uint32_t row(std::size_t c, const std::vector<std::uint32_t>& f) const;

  PrimeField field_;
  std::vector<std::size_t> start_;
  std::vector<Entry> entries_;
};

}  // namespace algprior
