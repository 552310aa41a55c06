#include "grid_table.hpp"

#include <cmath>
#include <numeric>

#include <ATen/ATen.h>

namespace algprior {
namespace {

constexpr double kRounding = 1e-9;

}  // namespace

GridMotion to_grid_motion(const Eigen::MatrixXd& matrix) {
  GridMotion motion;
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
      const double size = std::abs(matrix(row, column));
      if (size < kRounding) continue;
      if (std::abs(size - 1.0) > kRounding) return {};
      motion.axis.push_back(static_cast<std::size_t>(column));
      motion.sign.push_back(matrix(row, column) > 0.0 ? 1 : -1);
    }
  }
  if (motion.axis.size() != static_cast<std::size_t>(matrix.rows())) return {};
  return motion;
}

bool fits(const GridMotion& motion, const std::vector<std::int64_t>& extents) {
  if (motion.axis.size() != extents.size()) return false;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] != extents[motion.axis[i]]) return false;
  }
  return true;
}

std::vector<std::int64_t> grid_sources(const GridMotion& motion,
                                       const std::vector<std::int64_t>& extents) {
  const auto dimensions = extents.size();
  std::int64_t places = 1;
  for (const auto extent : extents) places *= extent;
  std::vector<std::int64_t> sources(static_cast<std::size_t>(places));
  std::vector<std::int64_t> position(dimensions, 0);
  for (auto& source : sources) {
    source = 0;
    for (std::size_t i = dimensions; i-- > 0;) {
      const auto along = position[motion.axis[i]];
      // Reversal about the centre is i ↦ n−1−i, in whole numbers.
      source = source * extents[i] + (motion.sign[i] > 0 ? along : extents[i] - 1 - along);
    }
    for (std::size_t i = 0; i < dimensions && ++position[i] == extents[i]; ++i) position[i] = 0;
  }
  return sources;
}

PermutationTable GridTables::at(const std::vector<std::int64_t>& extents) {
  const std::lock_guard lock(mutex_);
  const auto found = tables_.find(extents);
  if (found != tables_.end()) return found->second;
  std::int64_t places = 1;
  for (const auto extent : extents) places *= extent;
  const auto rows = at::empty({static_cast<std::int64_t>(pull_backs_.size()), places}, at::kLong);
  auto* out = rows.data_ptr<std::int64_t>();
  for (const auto& motion : pull_backs_) {
    if (fits(motion, extents)) {
      const auto sources = grid_sources(motion, extents);
      std::copy(sources.begin(), sources.end(), out);
    } else {
      std::iota(out, out + places, std::int64_t{0});
    }
    out += places;
  }
  return tables_.emplace(extents, make_permutation_table(rows)).first->second;
}

}  // namespace algprior
