#pragma once

#include <Eigen/Core>

namespace algprior {

// Every solver of Eigen that rep/ needs, compiled in one file: each costs seconds to compile.

/// A⁻¹, with an estimate of 1/(‖A‖₁‖A⁻¹‖₁) in `rcond`: 0 when A is singular (the inverse is then no
/// use).
Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& a, double* rcond = nullptr);
Eigen::MatrixXcd inverse_of(const Eigen::MatrixXcd& a, double* rcond = nullptr);

template <class Matrix>
struct HermitianEigen {
  Eigen::VectorXd values;  ///< ascending
  Matrix vectors;          ///< orthonormal columns
};
HermitianEigen<Eigen::MatrixXd> hermitian_eigen(const Eigen::MatrixXd& a);
HermitianEigen<Eigen::MatrixXcd> hermitian_eigen(const Eigen::MatrixXcd& a);

Eigen::VectorXcd eigenvalues_of(const Eigen::MatrixXd& a);

/// The nearest unitary matrix U of the polar decomposition A = U·√(A*A), by Newton's iteration
/// U ← (U + U⁻*)/2. A must be invertible.
template <class Matrix>
Matrix polar_factor(Matrix a) {
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps; ++step) {
    const Matrix next = 0.5 * (a + inverse_of(a).adjoint());
    const double change = (next - a).norm();
    a = next;
    if (change <= 1e-14 * a.norm() || !a.allFinite()) break;
  }
  return a;
}

}  // namespace algprior
