#pragma once

#include "algprior/mesh/laplacian.hpp"

#include <Eigen/Core>

namespace algprior::mesh {

/// Eigenvalues in ascending order, clipped below at 0, and their eigenvectors as columns.
struct Eigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Orders up to which smallest_eigenpairs() decomposes the whole dense matrix.
inline constexpr Eigen::Index kDenseOrder = 600;

/// The `count` smallest eigenpairs (all, when there are fewer) of Sφ = λ·diag(m)φ for a positive
/// semi-definite S and masses m; the φ are m-orthonormal. Dense below kDenseOrder; above,
/// implicitly restarted Lanczos on (M^{−1/2}SM^{−1/2} + σ)^{−1} with one factorisation, and each
/// residual is checked. Masses of zero are lifted to 1e-8 of the mean. Throws InputError for shapes
/// that do not fit or a matrix that is not finite, LimitError when Lanczos does not converge.
Eigenpairs smallest_eigenpairs(const SparseMatrix& stiffness, const Eigen::VectorXd& masses,
                               Eigen::Index count);

}  // namespace algprior::mesh
