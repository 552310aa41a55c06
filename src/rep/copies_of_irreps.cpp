#include "copies_of_irreps.hpp"

#include "linear_algebra.hpp"
#include "representation_state.hpp"
#include "spanning_tree.hpp"
#include "walk.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace algprior {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;

/// Random vectors beyond the multiplicity, against an unlucky draw.
constexpr Index kOversampling = 2;

MatrixXcd random_vectors(Index rows, Index cols) {
  std::mt19937_64 random(2);
  MatrixXcd vectors(rows, cols);
  for (Index k = 0; k < vectors.size(); ++k) {
    vectors(k) = static_cast<double>(random() >> 11) * 0x1p-52 - 1.0;
  }
  return vectors;
}

/// C with C*GC = I for a positive semidefinite G of rank m.
template <class Matrix>
Matrix orthonormalising(const Matrix& gram, Index m) {
  const auto eigen = hermitian_eigen(gram);
  Matrix choice = eigen.vectors.rightCols(m);
  for (Index k = 0; k < m; ++k) choice.col(k) /= std::sqrt(eigen.values(gram.rows() - m + k));
  return choice;
}

template <class Visit>
void for_each_image(const UnitaryForm& form, const MatrixXcd& start, Visit visit) {
  const Representation& rho = form.representation;
  if (!rho.is_permutation()) {
    walk(spanning_tree(rho.group()), form.generators, form.inverses, start, visit);
    return;
  }
  MatrixXcd image(start.rows(), start.cols());
  for (Element g = 0; g < rho.group().order(); ++g) {
    const Permutation permutation = rho.permutation(g);
    for (Index i = 0; i < start.rows(); ++i) {
      image.row(permutation[static_cast<std::size_t>(i)]) = start.row(i);
    }
    visit(g, image);
  }
}

}  // namespace

UnitaryForm unitary_form(const Representation& rho) {
  UnitaryForm form{rho, {}, {}, {}, {}};
  if (rho.is_permutation()) return form;
  const auto d = static_cast<Index>(rho.dimension());
  for (Element s : rho.group().generators()) {
    form.generators.push_back(rho.complex_matrix(s));
    form.inverses.push_back(inverse_of(form.generators.back()));
  }
  if (unitarity_defect(rho) <= 1e-11 * std::sqrt(static_cast<double>(d))) return form;

  MatrixXcd inner = MatrixXcd::Zero(d, d);
  walk(spanning_tree(rho.group()), form.generators, form.inverses,
       MatrixXcd(MatrixXcd::Identity(d, d)),
       [&](Element, const MatrixXcd& image) { inner.noalias() += image.adjoint() * image; });
  inner /= static_cast<double>(rho.group().order());
  const auto eigen = hermitian_eigen(inner);
  const Eigen::VectorXd roots = eigen.values.cwiseMax(0.0).cwiseSqrt();
  form.to_unitary = eigen.vectors * roots.asDiagonal() * eigen.vectors.adjoint();
  form.from_unitary = eigen.vectors * roots.cwiseInverse().asDiagonal() * eigen.vectors.adjoint();
  for (std::size_t k = 0; k < form.generators.size(); ++k) {
    form.generators[k] = (form.to_unitary * form.generators[k] * form.from_unitary).eval();
    form.inverses[k] = (form.to_unitary * form.inverses[k] * form.from_unitary).eval();
  }
  return form;
}

std::vector<std::vector<MatrixXcd>> copies_of_irreps(
    const UnitaryForm& form, const std::vector<Representation>& irreps,
    const std::vector<std::size_t>& multiplicities) {
  const auto dimension = static_cast<Index>(form.representation.dimension());
  const auto order = static_cast<double>(form.representation.group().order());
  // sums[i][j] = d_i/|G| Σ_g conj(ρ_i(g)_{j1}) υ(g)R
  std::vector<std::vector<MatrixXcd>> sums(irreps.size());
  Index widest = 0;
  for (std::size_t i = 0; i < irreps.size(); ++i) {
    if (multiplicities[i] == 0) continue;
    const Index width = static_cast<Index>(multiplicities[i]) + kOversampling;
    sums[i].assign(irreps[i].dimension(), MatrixXcd::Zero(dimension, width));
    widest = std::max(widest, width);
  }
  for_each_image(form, random_vectors(dimension, widest), [&](Element g, const MatrixXcd& image) {
    for (std::size_t i = 0; i < irreps.size(); ++i) {
      if (multiplicities[i] == 0) continue;
      const MatrixXcd matrix = irreps[i].complex_matrix(g);
      for (std::size_t j = 0; j < sums[i].size(); ++j) {
        const std::complex<double> weight = std::conj(matrix(static_cast<Index>(j), 0));
        if (weight == 0.0) continue;
        sums[i][j].noalias() += weight * image.leftCols(sums[i][j].cols());
      }
    }
  });

  std::vector<std::vector<MatrixXcd>> copies(irreps.size());
  for (std::size_t i = 0; i < irreps.size(); ++i) {
    if (multiplicities[i] == 0) continue;
    const auto d = static_cast<Index>(irreps[i].dimension());
    const auto m = static_cast<Index>(multiplicities[i]);
    for (MatrixXcd& sum : sums[i]) sum *= static_cast<double>(d) / order;
    const MatrixXcd gram = sums[i][0].adjoint() * sums[i][0];
    // Real vectors stay real: decompose_real relies on it.
    const bool real = form.representation.is_real() && irreps[i].is_real();
    const MatrixXcd choice = real ? MatrixXcd(orthonormalising(Eigen::MatrixXd(gram.real()), m))
                                  : orthonormalising(gram, m);
    copies[i].assign(multiplicities[i], MatrixXcd(dimension, d));
    for (Index j = 0; j < d; ++j) {
      const MatrixXcd vectors = sums[i][static_cast<std::size_t>(j)] * choice;
      for (Index k = 0; k < m; ++k) copies[i][static_cast<std::size_t>(k)].col(j) = vectors.col(k);
    }
  }
  return copies;
}

}  // namespace algprior
