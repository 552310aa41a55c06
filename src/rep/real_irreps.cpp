#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/irreps.hpp"

#include <cmath>
#include <random>

namespace algprior {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

/// The real matrix of v ↦ Av + B v̄ on C^d = R^d ⊕ iR^d.
MatrixXd real_matrix(const MatrixXcd& linear, const MatrixXcd& antilinear) {
  const Index d = linear.rows();
  MatrixXd matrix(2 * d, 2 * d);
  matrix << linear.real() + antilinear.real(), antilinear.imag() - linear.imag(),
      linear.imag() + antilinear.imag(), linear.real() - antilinear.real();
  return matrix;
}

/// The unitary Q with ρ(g)Q = Q·conj(ρ(g)), which a quaternionic ρ has: Σ_g ρ(g)Xρ(g)ᵀ, scaled.
MatrixXcd quaternionic_structure(const Representation& rho) {
  const auto d = static_cast<Index>(rho.dimension());
  std::mt19937_64 random(1);
  for (;;) {
    MatrixXcd x(d, d);
    for (Index k = 0; k < d * d; ++k) x(k) = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
    MatrixXcd sum = MatrixXcd::Zero(d, d);
    for (Element g = 0; g < rho.group().order(); ++g) {
      if (g % 1024 == 0) throw_if_stopped();
      const MatrixXcd matrix = rho.complex_matrix(g);
      sum += matrix * x * matrix.transpose();
    }
    sum /= static_cast<double>(rho.group().order());
    const double size = sum.norm() / std::sqrt(static_cast<double>(d));
    if (size > 1e-3 / static_cast<double>(d)) return sum / size;
  }
}

RealIrreducible realify(const CharacterTable& table, std::size_t i, const Representation& rho) {
  if (table.frobenius_schur(i) == 1) {
    const auto d = static_cast<Index>(rho.dimension());
    return {i, RealType::kReal, rho, rho, {MatrixXd::Identity(d, d)}};
  }
  const auto d = static_cast<Index>(rho.dimension());
  const MatrixXcd zero = MatrixXcd::Zero(d, d), one = MatrixXcd::Identity(d, d);
  const std::complex<double> unit(0, 1);
  std::vector<MatrixXd> generators;
  for (Element s : rho.group().generators()) {
    generators.push_back(real_matrix(rho.complex_matrix(s), zero));
  }
  std::vector<MatrixXd> endomorphisms{real_matrix(one, zero), real_matrix(unit * one, zero)};
  RealType type = RealType::kComplex;
  if (table.frobenius_schur(i) == -1) {
    type = RealType::kQuaternionic;
    const MatrixXcd q = quaternionic_structure(rho);
    endomorphisms.push_back(real_matrix(zero, q));
    endomorphisms.push_back(real_matrix(zero, unit * q));
  }
  return {i, type, matrix_representation_unchecked(rho.group(), std::move(generators)), rho,
          std::move(endomorphisms)};
}

}  // namespace

std::vector<RealIrreducible> real_irreducible_representations(const CharacterTable& table) {
  return real_irreducible_representations(table, irreducible_representations(table));
}

std::vector<RealIrreducible> real_irreducible_representations(
    const CharacterTable& table, const std::vector<Representation>& complex) {
  if (complex.size() != table.count()) {
    throw InputError({"not the irreducible representations of this table",
                      std::to_string(complex.size()) + " representations",
                      std::to_string(table.count()), ""});
  }
  std::vector<RealIrreducible> all;
  for (std::size_t i = 0; i < table.count(); ++i) {
    if (table.conjugate(i) >= i) all.push_back(realify(table, i, complex[i]));
  }
  return all;
}

}  // namespace algprior
