#include "algprior/audit/orbit_theorem.hpp"
#include "orbit_measures.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace algprior::auditing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kProbeWork = 4e9;

/// Every how-manieth sample, at most `most` of them.
std::vector<std::size_t> spread_out(const std::vector<std::size_t>& samples, std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t count = std::min(samples.size(), std::max<std::size_t>(1, most));
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(samples[i * samples.size() / count]);
  return chosen;
}

RowMatrix residuals_of(const Source& source, const Moments& moments, std::size_t n) {
  RowMatrix orbit = orbit_of(source, moments, n);
  const Eigen::RowVectorXd center = orbit.colwise().mean();
  orbit.rowwise() -= center;
  return orbit;
}

/// Fisher's linear discriminants: class means and one common covariance.
struct Discriminants {
  MatrixXd weight;         // |G|×d
  Eigen::VectorXd offset;  // |G|
};

Discriminants fit_discriminants(const Source& source, const Moments& moments,
                                const std::vector<std::size_t>& samples, Meter& meter) {
  const auto order = static_cast<Index>(source.group().order());
  const auto d = static_cast<Index>(source.dimension());
  struct Local {
    MatrixXd square;
    RowMatrix sum;
  };
  const auto locals = run_pass<Local>(
      samples.size(),
      [&] {
        return Local{MatrixXd::Zero(d, d), RowMatrix::Zero(order, d)};
      },
      [&](Local& local, std::size_t i) {
        const RowMatrix orbit = residuals_of(source, moments, samples[i]);
        local.square.noalias() += orbit.transpose() * orbit;
        local.sum += orbit;
      },
      meter);
  MatrixXd square = MatrixXd::Zero(d, d);
  RowMatrix mean = RowMatrix::Zero(order, d);
  for (const Local& local : locals) {
    square += local.square;
    mean += local.sum;
  }
  const auto count = static_cast<double>(samples.size());
  mean /= count;
  MatrixXd within = square / count - mean.transpose() * mean;
  const double trace = std::max(within.trace(), 0.0) + 1e-9 * square.trace() / count;
  within.diagonal().array() += trace > 0 ? 1e-6 * trace / static_cast<double>(d) : 1.0;
  Discriminants result;
  result.weight = within.ldlt().solve(mean.transpose()).transpose();
  result.offset = -0.5 * (result.weight.array() * mean.array()).rowwise().sum().matrix();
  return result;
}

}  // namespace

AuditProbes run_probes(const Source& source, const Moments& moments, const AuditOptions& options,
                       Meter& meter) {
  const std::size_t order = source.group().order();
  const auto size = static_cast<double>(order), d = static_cast<double>(source.dimension());
  AuditProbes probes;
  probes.chance = 1.0 / size;

  const auto affordable = [&](double each) {
    const double most = std::max(10.0, kProbeWork / each);
    return most < static_cast<double>(options.probe_samples) ? static_cast<std::size_t>(most)
                                                             : options.probe_samples;
  };
  const auto some = spread_out(source.half(Half::kAll), affordable(size * size * (d + 2 * size)));
  auto hits = run_pass<std::size_t>(
      some.size(), [] { return std::size_t{0}; },
      [&](std::size_t& local, std::size_t i) {
        const std::vector<bool> right = probe_orbit(orbit_of(source, moments, some[i]));
        local += static_cast<std::size_t>(std::count(right.begin(), right.end(), true));
      },
      meter);
  std::size_t total = 0;
  for (const std::size_t part : hits) total += part;
  probes.local = static_cast<double>(total) / (size * static_cast<double>(some.size()));

  // Discriminants need a few orbits on both sides.
  if (source.samples() < 10) return probes;
  const std::size_t most = affordable(size * d * d);
  const auto seen = spread_out(source.half(Half::kFit), most);
  const auto held = spread_out(source.half(Half::kScore), most);
  const Discriminants discriminants = fit_discriminants(source, moments, seen, meter);
  hits = run_pass<std::size_t>(
      held.size(), [] { return std::size_t{0}; },
      [&](std::size_t& local, std::size_t i) {
        const RowMatrix orbit = residuals_of(source, moments, held[i]);
        MatrixXd scores = discriminants.weight * orbit.transpose();
        scores.colwise() += discriminants.offset;
        for (Index g = 0; g < scores.cols(); ++g) {
          Index best = 0;
          scores.col(g).maxCoeff(&best);
          if (best == g) ++local;
        }
      },
      meter);
  total = 0;
  for (const std::size_t part : hits) total += part;
  probes.global = static_cast<double>(total) / (size * static_cast<double>(held.size()));
  return probes;
}

}  // namespace algprior::auditing
