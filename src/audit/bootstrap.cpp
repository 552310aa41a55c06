#include "bootstrap.hpp"

#include "algprior/base/random.hpp"

#include <cmath>

namespace algprior::auditing {
namespace {

constexpr double kTail = 0.025;

/// The quantile of sorted values, linear between neighbours.
double quantile_of(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<Estimate> bootstrap_intervals(const RowMatrix& columns,
                                          const std::vector<Statistic>& statistics,
                                          std::size_t resamplings, std::uint64_t seed,
                                          Meter& meter) {
  const Eigen::Index samples = columns.rows();
  const RandomKey key(seed, "audit bootstrap");
  std::vector<std::vector<double>> drawn(statistics.size(), std::vector<double>(resamplings));
  struct Local {
    Eigen::VectorXd sums;
  };
  run_pass<Local>(
      resamplings, [&] { return Local{Eigen::VectorXd(columns.cols())}; },
      [&](Local& local, std::size_t b) {
        RandomStream random(key.at(0, b));
        local.sums.setZero();
        for (Eigen::Index i = 0; i < samples; ++i) {
          const auto n =
              static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(samples)));
          local.sums += columns.row(n).transpose();
        }
        for (std::size_t s = 0; s < statistics.size(); ++s) drawn[s][b] = statistics[s](local.sums);
      },
      meter);
  const Eigen::VectorXd sums = columns.colwise().sum().transpose();
  std::vector<Estimate> estimates;
  for (std::size_t s = 0; s < statistics.size(); ++s) {
    std::vector<double> values;
    for (const double value : drawn[s]) {
      if (std::isfinite(value)) values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    const double value = statistics[s](sums);
    if (values.empty()) {
      estimates.push_back({value, value, value});
      continue;
    }
    // Resamplings vary by (N−1)/N less than samples do.
    const double widen = std::sqrt(static_cast<double>(samples) / static_cast<double>(samples - 1));
    estimates.push_back({value, value + widen * (quantile_of(values, kTail) - value),
                         value + widen * (quantile_of(values, 1 - kTail) - value)});
  }
  return estimates;
}

}  // namespace algprior::auditing
