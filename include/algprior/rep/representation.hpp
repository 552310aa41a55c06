#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/permutation.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>

namespace algprior {

/// A representation ρ: G → GL(V) of a finite group on V = R^d or C^d, as an immutable handle, cheap
/// to copy and safe to share between threads.
///
/// A permutation representation keeps permutations and becomes matrices only where someone asks for
/// them. Nothing is stored for each element up front: a sum or a product of representations asks
/// its parts, and a representation given on generators multiplies along shortest words (and keeps
/// the result while all matrices together stay below kStoreLimit bytes). constructions.hpp makes
/// them.
class Representation {
 public:
  /// Memory that one call may fill; above it the call throws LimitError with its cost.
  static constexpr std::size_t kCallLimit = std::size_t{1} << 30;
  /// Memory that a representation given on generators may keep for the matrices of all elements.
  static constexpr std::size_t kStoreLimit = std::size_t{1} << 27;

  const Group& group() const noexcept;
  std::size_t dimension() const noexcept;
  /// Every ρ(g) permutes the standard basis.
  bool is_permutation() const noexcept;
  /// The matrices are real.
  bool is_real() const noexcept;

  /// The permutation π with ρ(g)e_i = e_π(i). Throws InputError unless is_permutation().
  Permutation permutation(Element g) const;
  /// All of a permutation representation as one |G|×d table for a gather, row after row:
  /// table[g·d + k] = g⁻¹k, so that (ρ(g)z)[k] = z[table[g·d + k]].
  std::vector<std::int64_t> gather_table() const;

  /// ρ(g) as a d×d matrix. Throws InputError unless is_real().
  Eigen::MatrixXd matrix(Element g) const;
  Eigen::MatrixXcd complex_matrix(Element g) const;
  /// ρ(g) for every g, |G|·d² numbers.
  std::vector<Eigen::MatrixXd> matrices() const;
  std::vector<Eigen::MatrixXcd> complex_matrices() const;

  /// χ(g) = tr ρ(g): the number of fixed points of a permutation, without its matrix.
  std::complex<double> trace(Element g) const;
  /// χ on the classes, in the order of group().classes().
  std::vector<std::complex<double>> character() const;

  struct State;
  explicit Representation(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const noexcept { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// max ‖ρ(w) − I‖_F over the relators w of the presentation, computed from the matrices (or
/// permutations) of the generators: 0 for a homomorphism, up to rounding.
double homomorphism_defect(const Representation& representation);

/// max ‖ρ(s)*ρ(s) − I‖_F over the generators s: 0 for a unitary (orthogonal) representation.
double unitarity_defect(const Representation& representation);

}  // namespace algprior
