#pragma once

#include "algprior/mesh/mesh.hpp"

#include <Eigen/SparseCore>

namespace algprior::mesh {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// The cotangent Laplacian S, positive semi-definite: S_ij = −(cot α + cot β)/2 for the angles α, β
/// opposite the edge ij, rows summing to zero; uᵀSu is the Dirichlet energy of the piecewise linear
/// u. Cotangents are held within ±1e5, so that slivers stay finite.
SparseMatrix cotangent_laplacian(const Mesh& mesh);

/// The masses of the vertices: a third of the areas of their faces.
Eigen::VectorXd lumped_masses(const Mesh& mesh);

/// The mass matrix of piecewise linear functions, uᵀMv = ∫uv: area/6 on the diagonal and area/12
/// beside it for each face. Its pattern is that of cotangent_laplacian().
SparseMatrix mass_matrix(const Mesh& mesh);

}  // namespace algprior::mesh
