#pragma once

#include "algprior/base/progress.hpp"
#include "algprior/group/group.hpp"
#include "algprior/rep/cyclotomic.hpp"
#include "algprior/rep/detail/power_map.hpp"

#include <complex>
#include <memory>
#include <vector>

namespace algprior {

/// The irreducible complex characters χ_0, χ_1, … of a finite group, exactly; an immutable handle,
/// cheap to copy.
///
/// Columns are the classes of group().classes(), in that order. Rows: the trivial character first,
/// then by degree; equal degrees by the first class on which they differ, larger real part first,
/// then larger imaginary part. The order depends on the group's element order only, not on how it
/// was found.
class CharacterTable {
 public:
  const Group& group() const noexcept;
  /// How many irreducible characters there are; equal to the number of classes.
  std::size_t count() const noexcept;

  /// χ_i(g) for g in class c, as a cyclotomic integer.
  const Cyclotomic& exact(std::size_t i, std::size_t c) const;
  std::complex<double> value(std::size_t i, std::size_t c) const;
  /// χ_i on all classes.
  std::vector<std::complex<double>> values(std::size_t i) const;
  /// χ_i(e).
  int degree(std::size_t i) const;
  /// ν(χ_i) = 1/|G| Σ_g χ_i(g²): 1 real type, 0 complex type, −1 quaternionic type.
  int frobenius_schur(std::size_t i) const;
  /// The degree of the real irreducible representation whose complexification contains χ_i: the
  /// degree for real type, twice the degree for complex and quaternionic type.
  int real_degree(std::size_t i) const;
  /// The row of the complex conjugate character; i itself for real and quaternionic type.
  std::size_t conjugate(std::size_t i) const;

  const PowerMap& powers() const noexcept;

  struct State;
  explicit CharacterTable(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

/// The character table of any finite group, by Burnside–Dixon–Schneider: the characters are the
/// common eigenvectors of the class sums, found over a prime field with p ≡ 1 modulo the exponent
/// and lifted to Z[ζ]. Linear characters come from G/G′; Galois conjugates and products with linear
/// characters of a character found are characters too and need no search. Takes about k² operations
/// for each orbit of these, k the number of classes: milliseconds for S7, M11 and D500. The last
/// few tables are kept, so asking again for the same group value is free. `progress` counts
/// characters. Throws LimitError when a k × k table would exceed 1 GiB.
CharacterTable character_table(const Group& group, const ProgressSink& progress = {});

/// Multiplicity ⟨χ_i, ψ⟩ of every irreducible in a character ψ given on the classes, as real
/// numbers: whole up to rounding when ψ is a character.
std::vector<double> multiplicities(const CharacterTable& table,
                                   const std::vector<std::complex<double>>& character);

}  // namespace algprior
