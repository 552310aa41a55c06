#pragma once

#include "algprior/rep/character_table.hpp"

#include <unordered_map>

namespace algprior {

/// The distinct values of a table: k² values of a large group are few different numbers.
class ValuePool {
 public:
  std::uint32_t intern(Cyclotomic value);
  const std::vector<Cyclotomic>& values() const noexcept { return values_; }

 private:
  std::vector<Cyclotomic> values_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

/// A table as it was found, rows in no particular order.
struct RawCharacters {
  ValuePool pool;
  std::vector<std::vector<std::uint32_t>> rows;  ///< indices into the pool
  std::vector<int> frobenius_schur;
};

/// The characters of a group that is no direct product: linear characters, then the search modulo p
/// and the lift to Z[ζ].
RawCharacters find_characters(const Group& group, const PowerMap& powers,
                              const ProgressSink& progress);

/// The characters χ⊗ψ⊗… of a direct product from the tables of its factors.
RawCharacters tensor_characters(const Group& group, const std::vector<Group>& factors,
                                const ProgressSink& progress);

struct CharacterTable::State {
  State(Group g, PowerMap p) : group(std::move(g)), powers(std::move(p)) {}

  Group group;
  PowerMap powers;
  std::vector<Cyclotomic> exact;             // distinct values
  std::vector<std::complex<double>> values;  // the same as complex numbers
  std::vector<std::vector<std::uint32_t>> rows;
  std::vector<int> degrees;
  std::vector<int> frobenius_schur;
  std::vector<std::size_t> conjugates;
};

}  // namespace algprior
