#include "linear_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace algprior {
namespace {

template <class Matrix>
Matrix inverse_with(const Matrix& a, double* rcond) {
  if (a.size() == 0) {
    if (rcond != nullptr) *rcond = 1;
    return a;
  }
  const Eigen::PartialPivLU<Matrix> factors(a);
  if (rcond != nullptr) *rcond = factors.rcond();
  return factors.inverse();
}

template <class Matrix>
HermitianEigen<Matrix> eigen_with(const Matrix& a) {
  if (a.size() == 0) return {Eigen::VectorXd(0), a};
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& a, double* rcond) {
  return inverse_with(a, rcond);
}

Eigen::MatrixXcd inverse_of(const Eigen::MatrixXcd& a, double* rcond) {
  return inverse_with(a, rcond);
}

HermitianEigen<Eigen::MatrixXd> hermitian_eigen(const Eigen::MatrixXd& a) {
  return eigen_with(a);
}

HermitianEigen<Eigen::MatrixXcd> hermitian_eigen(const Eigen::MatrixXcd& a) {
  return eigen_with(a);
}

Eigen::VectorXcd eigenvalues_of(const Eigen::MatrixXd& a) {
  if (a.size() == 0) return Eigen::VectorXcd(0);
  return Eigen::EigenSolver<Eigen::MatrixXd>(a, false).eigenvalues();
}

}  // namespace algprior
