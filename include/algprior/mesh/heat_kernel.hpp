#pragma once

#include "algprior/mesh/mesh.hpp"

#include <vector>

#include <Eigen/Core>

namespace algprior::mesh {

/// How a heat kernel signature is taken.
struct HeatKernelOptions {
  int eigenpairs = 128;
  int times = 16;  ///< t_s = first·(last/first)^{s/(times−1)}
  double first = 0.01;
  double last = 1.0;
};

/// The times t_s, evenly spaced in the logarithm. Throws InputError unless 0 < first ≤ last, times
/// ≥ 1.
std::vector<double> heat_times(const HeatKernelOptions& options);

/// The heat kernel signature h_s(v) = Σ_k φ_k(v)² e^{−λ_k t_s} over the smallest eigenpairs of the
/// cotangent Laplacian with lumped masses: a row a vertex, a column a time. It does not change
/// under isometries; it does under scaling (at large t it tends to 1/area), so scale meshes to one
/// area first. Throws InputError for a mesh that fails check(), or options that cannot be.
Eigen::MatrixXd heat_kernel_signature(const Mesh& mesh, const HeatKernelOptions& options = {});

}  // namespace algprior::mesh
