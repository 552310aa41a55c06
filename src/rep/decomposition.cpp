#include "algprior/rep/decomposition.hpp"

#include "copies_of_irreps.hpp"
#include "linear_algebra.hpp"
#include "representation_state.hpp"
#include "spanning_tree.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

/// ⟨χ_irrep, ψ⟩ for ψ given on the classes.
Complex inner_product(const Representation& irrep, const std::vector<Complex>& character) {
  const ConjugacyClasses& classes = irrep.group().classes();
  const std::vector<Complex> irreducible = irrep.character();
  Complex sum = 0;
  for (std::size_t c = 0; c < classes.count(); ++c) {
    sum +=
        static_cast<double>(classes.members[c].size()) * std::conj(irreducible[c]) * character[c];
  }
  return sum / static_cast<double>(irrep.group().order());
}

std::size_t whole_multiplicity(const Representation& rho, std::size_t i, Complex value) {
  const double whole = std::round(value.real());
  if (std::abs(value - whole) < 1e-4 && whole >= 0) return static_cast<std::size_t>(whole);
  throw InputError({"this is not a representation to working accuracy",
                    fmt::format("{}: irreducible representation {} would occur {:.6g} times",
                                rho.group().name(), i, value.real()),
                    "whole multiplicities", "ask for the nearest exact representation first"});
}

void require_complete(const Representation& rho, std::size_t covered) {
  if (covered == rho.dimension()) return;
  throw InputError({"the given irreducible representations do not make up the representation",
                    fmt::format("dimension {} of {}", covered, rho.dimension()),
                    "all irreducible representations of " + rho.group().name() + ", each once",
                    "pass all of irreducible_representations()"});
}

void require_decomposable(const Representation& rho, std::size_t entry) {
  const double d = static_cast<double>(rho.dimension());
  require_memory(fmt::format("decomposing dimension {}", rho.dimension()),
                 4 * static_cast<double>(entry) * d * d,
                 "decompose by multiplicities() alone, or each summand by itself");
}

MatrixXcd image_of(const Representation& rho, Element s, const MatrixXcd&) {
  return rho.complex_matrix(s);
}
MatrixXd image_of(const Representation& rho, Element s, const MatrixXd&) {
  return rho.matrix(s);
}

/// Joins the copies, goes back to the basis of ρ and measures what came out.
template <class Matrix>
Decomposition<Matrix> assemble(const Representation& rho, const std::vector<Representation>& irreps,
                               const std::vector<std::vector<Matrix>>& copies,
                               const Matrix& from_unitary) {
  const auto d = static_cast<Index>(rho.dimension());
  Decomposition<Matrix> result{{}, {}, Matrix(d, d), {}, 0, 0};
  Index offset = 0;
  for (std::size_t i = 0; i < irreps.size(); ++i) {
    result.multiplicities.push_back(copies[i].size());
    for (std::size_t copy = 0; copy < copies[i].size(); ++copy) {
      const Matrix& columns = copies[i][copy];
      result.basis.middleCols(offset, columns.cols()) = columns;
      result.summands.push_back({i, copy, static_cast<std::size_t>(offset), irreps[i].dimension()});
      offset += columns.cols();
    }
  }
  if (from_unitary.size() > 0) result.basis = (from_unitary * result.basis).eval();
  result.inverse = inverse_of(result.basis);
  for (Element s : rho.group().generators()) {
    Matrix difference = result.inverse * (image_of(rho, s, from_unitary) * result.basis);
    for (const Summand& summand : result.summands) {
      const auto at = static_cast<Index>(summand.offset),
                 size = static_cast<Index>(summand.dimension);
      difference.block(at, at, size, size) -= image_of(irreps[summand.irrep], s, from_unitary);
    }
    result.residual = std::max(result.residual, difference.norm());
  }
  const std::size_t longest = std::max<std::size_t>(1, spanning_tree(rho.group()).height);
  result.error_bound = std::expm1(static_cast<double>(longest) * std::log1p(result.residual));
  return result;
}

/// The real invariant subspace that a copy C of a complex or quaternionic ρ_i and its conjugate
/// span, in the basis in which the realification of ρ_i acts.
MatrixXd real_copy(const MatrixXcd& copy) {
  MatrixXd columns(copy.rows(), 2 * copy.cols());
  columns << copy.real(), -copy.imag();
  return std::sqrt(2.0) * columns;
}

/// n orthogonal real copies out of 2n complex ones of a quaternionic ρ_i: each spans two.
std::vector<MatrixXd> quaternionic_copies(std::vector<MatrixXcd> copies) {
  std::vector<MatrixXd> result;
  const std::size_t wanted = copies.size() / 2;
  while (result.size() < wanted) {
    const auto largest = std::max_element(
        copies.begin(), copies.end(),
        [](const MatrixXcd& a, const MatrixXcd& b) { return a.norm() < b.norm(); });
    const double size = largest->norm() / std::sqrt(static_cast<double>(largest->cols()));
    result.push_back(real_copy(*largest / size));
    const MatrixXd& found = result.back();
    for (MatrixXcd& copy : copies) copy -= (found * (found.transpose() * copy)).eval();
  }
  return result;
}

}  // namespace

std::vector<std::size_t> multiplicities(const Representation& rho,
                                        const std::vector<Representation>& irreps) {
  const std::vector<Complex> character = rho.character();
  std::vector<std::size_t> result;
  std::size_t covered = 0;
  for (std::size_t i = 0; i < irreps.size(); ++i) {
    result.push_back(whole_multiplicity(rho, i, inner_product(irreps[i], character)));
    covered += result.back() * irreps[i].dimension();
  }
  require_complete(rho, covered);
  return result;
}

ComplexDecomposition decompose(const Representation& rho,
                               const std::vector<Representation>& irreps) {
  require_decomposable(rho, sizeof(Complex));
  const std::vector<std::size_t> counts = multiplicities(rho, irreps);
  const UnitaryForm form = unitary_form(rho);
  return assemble(rho, irreps, copies_of_irreps(form, irreps, counts), form.from_unitary);
}

RealDecomposition decompose_real(const Representation& rho,
                                 const std::vector<RealIrreducible>& irreps) {
  if (!rho.is_real()) {
    throw InputError({"a complex representation has no decomposition over R", rho.group().name(),
                      "a representation with real matrices", "use decompose"});
  }
  require_decomposable(rho, sizeof(Complex));
  const std::vector<Complex> character = rho.character();
  std::vector<Representation> real, constituents;
  std::vector<std::size_t> counts;
  std::size_t covered = 0;
  for (std::size_t i = 0; i < irreps.size(); ++i) {
    real.push_back(irreps[i].representation);
    constituents.push_back(irreps[i].complex_constituent);
    counts.push_back(whole_multiplicity(rho, i, inner_product(constituents.back(), character)));
    covered += counts.back() * real.back().dimension() /
               (irreps[i].type == RealType::kQuaternionic ? 2 : 1);
  }
  require_complete(rho, covered);

  const UnitaryForm form = unitary_form(rho);
  const std::vector<std::vector<MatrixXcd>> complex = copies_of_irreps(form, constituents, counts);
  std::vector<std::vector<MatrixXd>> copies(irreps.size());
  for (std::size_t i = 0; i < irreps.size(); ++i) {
    if (irreps[i].type == RealType::kQuaternionic) {
      copies[i] = quaternionic_copies(complex[i]);
      continue;
    }
    for (const MatrixXcd& copy : complex[i]) {
      copies[i].push_back(irreps[i].type == RealType::kReal ? MatrixXd(copy.real())
                                                            : real_copy(copy));
    }
  }
  return assemble(rho, real, copies, MatrixXd(form.from_unitary.real()));
}

Eigen::MatrixXcd isotypic_projection(const Representation& rho, const Representation& irrep) {
  require_decomposable(rho, sizeof(Complex));
  const auto d = static_cast<Index>(rho.dimension());
  const std::vector<Complex> character = irrep.character();
  const std::vector<std::uint32_t>& class_of = rho.group().classes().class_of;
  const double scale =
      static_cast<double>(irrep.dimension()) / static_cast<double>(rho.group().order());
  MatrixXcd projection = MatrixXcd::Zero(d, d);
  for (Element g = 0; g < rho.group().order(); ++g) {
    const Complex weight = scale * std::conj(character[class_of[g]]);
    if (rho.is_permutation()) {
      const Permutation images = rho.permutation(g);
      for (std::size_t k = 0; k < images.size(); ++k) {
        projection(images[k], static_cast<Index>(k)) += weight;
      }
    } else {
      projection += weight * rho.complex_matrix(g);
    }
  }
  return projection;
}

Eigen::MatrixXd isotypic_projection(const Representation& rho, const RealIrreducible& irrep) {
  const MatrixXcd projection = isotypic_projection(rho, irrep.complex_constituent);
  return (irrep.type == RealType::kComplex ? 2.0 : 1.0) * projection.real();
}

}  // namespace algprior
