#pragma once

#include "passes.hpp"
#include "source.hpp"

#include <functional>

namespace algprior::auditing {

/// Sums of columns over resampled samples (and how many samples were drawn is their number) ↦ the
/// number whose interval is wanted.
using Statistic = std::function<double(const Eigen::VectorXd& sums)>;

/// Percentile bootstrap over the base samples: rows of `columns` (samples×columns) are drawn with
/// replacement, one draw serving all statistics, so they can be compared with each other. A
/// resampling for which a statistic is not finite does not count for it.
std::vector<Estimate> bootstrap_intervals(const RowMatrix& columns,
                                          const std::vector<Statistic>& statistics,
                                          std::size_t resamplings, std::uint64_t seed,
                                          Meter& meter);

}  // namespace algprior::auditing
