#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/group/group.hpp"
#include "algprior/rep/detail/power_map.hpp"
#include "algprior/rep/detail/prime_field.hpp"
#include "linear_characters.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace algprior {

/// The irreducible characters of a group modulo a prime p ≡ 1 (mod exponent) close to 2^31, the
/// first half of Burnside–Dixon–Schneider. Linear characters stand first, in the order of
/// LinearCharacters.
class ModularCharacters {
 public:
  ModularCharacters(const Group& group, const PowerMap& powers, const LinearCharacters& linear,
                    const ProgressSink& progress);

  const PrimeField& field() const noexcept { return field_; }
  /// The element of F_p that stands for ζ_E = exp(2πi/E), E the exponent.
  std::uint32_t root() const noexcept { return root_; }
  const std::vector<std::vector<std::uint32_t>>& rows() const noexcept { return rows_; }
  std::uint32_t degree(std::size_t i) const { return rows_[i][0]; }
  /// ν(χ_i), exact: an integer of −1, 0, 1 is known from its residue.
  int frobenius_schur(std::size_t i) const;

  /// Generators t of the Galois group (Z/E)* as permutations of the classes, c ↦ class of g^t.
  const std::vector<std::vector<std::uint32_t>>& galois() const noexcept { return galois_; }
  /// The number of the row χ_i(g^t) for the class permutation of t.
  std::size_t galois_conjugate(std::size_t i, const std::vector<std::uint32_t>& permutation) const;

 private:
  using Row = std::vector<std::uint32_t>;

  bool insert(Row row);
  void insert_orbit(Row row);
  void split(std::size_t budget, std::uint64_t seed);
  std::uint64_t fingerprint(const Row& row) const;

  const Group& group_;
  const PowerMap& powers_;
  const ProgressSink& progress_;
  PrimeField field_;
  std::uint32_t root_;
  std::vector<Row> rows_;
  std::vector<Row> galois_;
  std::vector<Row> twists_;  // generators of the linear characters
  std::vector<std::uint64_t> hash_weights_;
  std::unordered_map<std::uint64_t, std::size_t> found_;
};

}  // namespace algprior
