#pragma once

#include "algprior/action/permute.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <Eigen/Core>

namespace algprior {

/// The signed axis permutation that an orthogonal matrix is up to rounding: row i of M has its only
/// entry, sign[i], in column axis[i]. Empty when M moves grid points between grid points.
struct GridMotion {
  std::vector<std::size_t> axis;
  std::vector<int> sign;
  bool empty() const noexcept { return axis.empty(); }
};

GridMotion to_grid_motion(const Eigen::MatrixXd& matrix);

/// Whether a grid of these extents (one for each coordinate of the motion) is mapped onto itself.
bool fits(const GridMotion& motion, const std::vector<std::int64_t>& extents);

/// One row of a gather table: the flat place that each place of the output is read from when the
/// output at p is the input at M p, with p measured from the centre. Coordinate 0 runs along the
/// last (fastest) axis of the tensor.
std::vector<std::int64_t> grid_sources(const GridMotion& motion,
                                       const std::vector<std::int64_t>& extents);

/// Gather tables by grid size, made on first use and shared by all copies of an action.
class GridTables {
 public:
  explicit GridTables(std::vector<GridMotion> pull_backs) : pull_backs_(std::move(pull_backs)) {}

  /// Elements whose motion is not exact on this grid get the identity row.
  PermutationTable at(const std::vector<std::int64_t>& extents);

 private:
  std::vector<GridMotion> pull_backs_;
  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, PermutationTable> tables_;
};

}  // namespace algprior
