#include "algprior/audit/orbit_theorem.hpp"
#include "orbit_measures.hpp"

#include <cmath>
#include <limits>

namespace algprior::auditing {
namespace {

using Eigen::Index;

/// Floating-point operations that Theorem 1 may take altogether.
constexpr double kTheoremWork = 2.5e9;

OrbitTheorem measure_one(const Source& source, const Moments& moments, const Predict& predict,
                         std::size_t n) {
  const RowMatrix orbit = orbit_of(source, moments, n);
  const double epsilon = source.single_precision() ? std::numeric_limits<float>::epsilon()
                                                   : std::numeric_limits<double>::epsilon();
  // Rounding of the embeddings themselves, which have their mean on top; ‖M‖_F ≥ σ_max.
  const double rounding = epsilon * (orbit.norm() + moments.mean.norm()) *
                          static_cast<double>(std::max(orbit.rows(), orbit.cols()));
  return theorem_one_on(source.group(), orbit, predict, rounding);
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
  std::vector<OrbitTheorem> orbits(count);
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
  for (const OrbitTheorem& orbit : orbits) {
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
    for (const OrbitTheorem& orbit : orbits) {
      if (orbit.singular[0] > 0) ratios.push_back(orbit.singular[k] / orbit.singular[0]);
    }
    if (!ratios.empty()) result.spectrum.push_back(median_of(std::move(ratios)));
  }
  return result;
}

}  // namespace algprior::auditing
