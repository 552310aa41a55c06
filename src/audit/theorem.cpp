#include "orbit_measures.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace algprior::auditing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Floating-point operations that Theorem 1 may take altogether.
constexpr double kTheoremWork = 6e9;

struct OneOrbit {
  Eigen::VectorXd singular;
  bool full_rank = false;
  double distance = 0, bound = 0;
};

double operator_norm(const MatrixXd& matrix) {
  const MatrixXd gram = matrix.transpose() * matrix;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, solver.eigenvalues()[gram.rows() - 1]));
}

OneOrbit measure_one(const Source& source, const Moments& moments, const Predict& predict,
                     std::size_t n) {
  const Group& group = source.group();
  const auto order = static_cast<Index>(group.order());
  const RowMatrix orbit = orbit_of(source, moments, n);
  OneOrbit result;
  const Eigen::BDCSVD<MatrixXd> svd(orbit.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  result.singular = svd.singularValues();
  const double epsilon = source.single_precision() ? std::numeric_limits<float>::epsilon()
                                                   : std::numeric_limits<double>::epsilon();
  // Rounding of the embeddings themselves, which have their mean on top.
  const double rounding = epsilon * (result.singular[0] + moments.mean.norm()) *
                          static_cast<double>(std::max(orbit.rows(), orbit.cols()));
  if (orbit.cols() < order || !(result.singular[order - 1] > rounding)) return result;
  result.full_rank = true;
  // M = UΣVᵀ; on V = im U an operator A has the matrix A·M·V·Σ⁻¹.
  const MatrixXd back = svd.matrixV() * result.singular.cwiseInverse().asDiagonal();
  RowMatrix off;
  double largest = 0;
  for (Element g = 0; g < group.order(); ++g) {
    predict(g, orbit, off);
    for (Element h = 0; h < group.order(); ++h) {
      off.row(h) -= orbit.row(group.multiply_unchecked(g, h));
    }
    largest = std::max(largest, off.rowwise().norm().maxCoeff());
    result.distance = std::max(result.distance, operator_norm(off.transpose() * back));
  }
  result.bound = largest * std::sqrt(static_cast<double>(order)) / result.singular[order - 1];
  return result;
}

}  // namespace

RowMatrix orbit_of(const Source& source, const Moments& moments, std::size_t n) {
  const std::size_t order = source.group().order();
  RowMatrix orbit(static_cast<Index>(order), static_cast<Index>(source.dimension()));
  for (Element h = 0; h < order; ++h) {
    source.copy(source.orbit_row(n, h), moments.mean, orbit.row(h).data());
  }
  return orbit;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

OrbitMeasures measure_orbits(const Source& source, const Moments& moments, const Predict& predict,
                             const AuditOptions& options, Meter& meter) {
  const auto order = static_cast<double>(source.group().order());
  const auto d = static_cast<double>(source.dimension());
  const double each = order * (2 * d * order * order + 6 * order * order * order);
  const double affordable = std::max(5.0, std::floor(kTheoremWork / each));
  std::size_t count = std::min(options.theorem_samples, source.samples());
  if (affordable < static_cast<double>(count)) count = static_cast<std::size_t>(affordable);
  std::vector<OneOrbit> orbits(count);
  struct Nothing {};
  run_pass<Nothing>(
      count, [] { return Nothing{}; },
      [&](Nothing&, std::size_t i) {
        orbits[i] = measure_one(source, moments, predict, i * source.samples() / count);
      },
      meter);
  OrbitMeasures result;
  result.theorem.tried = count;
  std::vector<double> distances, bounds;
  for (const OneOrbit& orbit : orbits) {
    if (!orbit.full_rank) continue;
    distances.push_back(orbit.distance);
    bounds.push_back(orbit.bound);
    // Both sides carry the rounding of one singular value decomposition.
    if (orbit.distance <= orbit.bound * (1 + 1e-9) + 1e-12) ++result.theorem.held;
  }
  result.theorem.samples = distances.size();
  if (!distances.empty()) {
    result.theorem.distance = median_of(distances);
    result.theorem.bound = median_of(bounds);
  }
  const Index length = count == 0 ? 0 : orbits.front().singular.size();
  for (Index k = 0; k < length; ++k) {
    std::vector<double> ratios;
    for (const OneOrbit& orbit : orbits) {
      if (orbit.singular[0] > 0) ratios.push_back(orbit.singular[k] / orbit.singular[0]);
    }
    if (!ratios.empty()) result.spectrum.push_back(median_of(std::move(ratios)));
  }
  return result;
}

}  // namespace algprior::auditing
