#include "algprior/mesh/eigenpairs.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <Spectra/SymEigsShiftSolver.h>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

/// y = (A − σ)^{−1}x as Spectra wants it. Spectra's own operator takes SparseLU, which on these
/// symmetric definite matrices costs several times as much.
class ShiftedInverse {
 public:
  using Scalar = double;
  explicit ShiftedInverse(const SparseMatrix& matrix) : matrix_(matrix) {}

  Eigen::Index rows() const { return matrix_.rows(); }
  Eigen::Index cols() const { return matrix_.cols(); }

  void set_shift(double shift) {
    SparseMatrix identity(rows(), cols());
    identity.setIdentity();
    solver_.compute(matrix_ - shift * identity);
    if (solver_.info() != Eigen::Success) {
      throw InputError({"the Laplacian cannot be factorised", fmt::format("shift {}", shift),
                        "a positive semi-definite matrix", "repair degenerate faces of the mesh"});
    }
  }

  void perform_op(const double* x, double* y) const {
    Eigen::Map<Eigen::VectorXd>(y, rows()) =
        solver_.solve(Eigen::Map<const Eigen::VectorXd>(x, rows()));
  }

 private:
  const SparseMatrix& matrix_;
  Eigen::SimplicialLDLT<SparseMatrix> solver_;
};

Eigenpairs dense_eigenpairs(const SparseMatrix& scaled, Eigen::Index count) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(scaled)};
  return {solver.eigenvalues().head(count), solver.eigenvectors().leftCols(count)};
}

Eigenpairs lanczos_eigenpairs(const SparseMatrix& scaled, Eigen::Index count) {
  // A shift a little below zero keeps the matrix definite: its kernel is the constants.
  const double typical = scaled.diagonal().cwiseAbs().mean();
  const double shift = -1e-6 * (typical > 0.0 ? typical : 1.0);
  ShiftedInverse inverse(scaled);
  const Eigen::Index basis = std::min(scaled.rows(), std::max<Eigen::Index>(2 * count, count + 20));
  Spectra::SymEigsShiftSolver<ShiftedInverse> solver(inverse, count, basis, shift);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 300, 1e-10, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful) {
    throw LimitError({"the eigenvalues of the Laplacian do not converge",
                      fmt::format("{} vertices, {} eigenpairs", scaled.rows(), count),
                      "convergence within 300 restarts", "repair or simplify the mesh"});
  }
  Eigenpairs pairs{solver.eigenvalues(), solver.eigenvectors()};
  const Eigen::MatrixXd residual =
      scaled * pairs.vectors - pairs.vectors * pairs.values.asDiagonal();
  if (!(residual.colwise().norm().maxCoeff() <= 1e-5 * std::max(1.0, pairs.values.maxCoeff()))) {
    throw LimitError({"the eigenvectors of the Laplacian are not accurate",
                      fmt::format("residual {}", residual.colwise().norm().maxCoeff()),
                      "1e-5 of the largest eigenvalue", "repair degenerate faces of the mesh"});
  }
  return pairs;
}

}  // namespace

Eigenpairs smallest_eigenpairs(const SparseMatrix& stiffness, const Eigen::VectorXd& masses,
                               Eigen::Index count) {
  const Eigen::Index n = stiffness.rows();
  if (stiffness.cols() != n || masses.size() != n || n == 0 || count < 1) {
    throw InputError({"the matrices of an eigenproblem do not fit",
                      fmt::format("{}×{} and {} masses, {} eigenpairs", n, stiffness.cols(),
                                  masses.size(), count),
                      "a square matrix, a mass a row, one eigenpair or more", ""});
  }
  const double mean = masses.mean();
  if (!(mean > 0.0) || !masses.allFinite() || masses.minCoeff() < 0.0) {
    throw InputError({"the masses of an eigenproblem are not usable", fmt::format("mean {}", mean),
                      "finite, not negative, not all zero", "repair the mesh"});
  }
  const Eigen::VectorXd root = (masses.array() + 1e-8 * mean).sqrt().inverse();
  const SparseMatrix scaled = root.asDiagonal() * stiffness * root.asDiagonal();
  for (Eigen::Index i = 0; i < scaled.nonZeros(); ++i) {
    if (!std::isfinite(scaled.valuePtr()[i])) {
      throw InputError({"the Laplacian is not finite", "", "finite entries", "repair the mesh"});
    }
  }
  count = std::min(count, n);
  Eigenpairs pairs = n <= kDenseOrder || 3 * count > n ? dense_eigenpairs(scaled, count)
                                                       : lanczos_eigenpairs(scaled, count);
  pairs.values = pairs.values.cwiseMax(0.0);
  pairs.vectors = root.asDiagonal() * pairs.vectors;
  return pairs;
}

}  // namespace algprior::mesh
