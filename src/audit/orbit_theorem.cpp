#include "algprior/audit/orbit_theorem.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace algprior {
namespace {

double operator_norm(const Eigen::MatrixXd& matrix) {
  const Eigen::MatrixXd gram = matrix.transpose() * matrix;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, solver.eigenvalues()[gram.rows() - 1]));
}

}  // namespace

OrbitTheorem theorem_one_on(const Group& group, const OrbitMatrix& orbit, const ApplyElement& apply,
                            double rounding) {
  const auto order = static_cast<Eigen::Index>(group.order());
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(orbit.transpose(),
                                           Eigen::ComputeThinU | Eigen::ComputeThinV);
  OrbitTheorem result;
  result.singular = svd.singularValues();
  result.full_rank = orbit.cols() >= order && result.singular[order - 1] > rounding;
  result.distance = result.bound = std::numeric_limits<double>::infinity();
  // M = UΣVᵀ; on V = im U an operator A has the matrix A·M·V·Σ⁻¹.
  Eigen::MatrixXd back;
  double distance = 0;
  if (result.full_rank) back = svd.matrixV() * result.singular.cwiseInverse().asDiagonal();
  OrbitMatrix off;
  for (Element g = 0; g < group.order(); ++g) {
    apply(g, orbit, off);
    for (Element h = 0; h < group.order(); ++h) {
      off.row(h) -= orbit.row(group.multiply_unchecked(g, h));
    }
    result.epsilon = std::max(result.epsilon, off.rowwise().norm().maxCoeff());
    if (result.full_rank) distance = std::max(distance, operator_norm(off.transpose() * back));
  }
  if (!result.full_rank) return result;
  result.distance = distance;
  result.bound =
      result.epsilon * std::sqrt(static_cast<double>(order)) / result.singular[order - 1];
  return result;
}

std::vector<bool> probe_orbit(const OrbitMatrix& orbit, double ridge) {
  const Eigen::MatrixXd gram = orbit * orbit.transpose();
  const double trace = gram.trace();
  Eigen::MatrixXd shifted = gram;
  // An orbit at the origin has no features at all: any positive ridge gives W = 0.
  shifted.diagonal().array() += trace > 0 ? ridge * trace / static_cast<double>(gram.rows()) : 1.0;
  const Eigen::MatrixXd answers = shifted.ldlt().solve(gram);
  std::vector<bool> right;
  for (Eigen::Index g = 0; g < gram.cols(); ++g) {
    Eigen::Index best = 0;
    answers.col(g).maxCoeff(&best);
    right.push_back(best == g);
  }
  return right;
}

}  // namespace algprior
