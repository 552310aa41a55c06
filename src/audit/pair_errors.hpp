#pragma once

#include "passes.hpp"
#include "source.hpp"

#include <functional>

namespace algprior::auditing {

/// Where z lies and how much it varies.
struct Moments {
  Eigen::VectorXd mean;       ///< over all rows
  Eigen::VectorXd spread;     ///< of each sample: the mean of ‖z − mean‖² over its rows
  double variance = 0;        ///< tr Cov z, without the bias of a mean that was estimated
  double correction = 1;      ///< variance / mean of `spread`
  double smallest = 0;        ///< of all coordinates
  bool orbits_equal = false;  ///< every sample's rows are the same, bit by bit
};
/// Throws InputError that names the place of a number that is not finite.
Moments find_moments(const Source& source, Meter& meter);

/// ρ(h)x for each row x of a block.
using Predict = std::function<void(Element h, const RowMatrix& x, RowMatrix& predicted)>;

Predict predict_unchanged();
/// As many copies of ρ as fit into `dimension` coordinates, then fixed ones. Nothing when ρ is
/// complex or does not fit.
std::optional<Predict> predict_copies(const Representation& representation, std::size_t dimension);
/// By one dimension×dimension matrix an element; refers to `matrices` in double precision.
Predict predict_matrices(const std::vector<Eigen::MatrixXd>& matrices, bool single_precision);

/// ‖z(hy) − ρ(h)z(y)‖² summed over the pairs with h ≠ e.
struct PairErrors {
  Eigen::VectorXd sum;            ///< for each sample
  Eigen::VectorXd count;          ///< pairs of each sample
  Eigen::VectorXd element_sum;    ///< for each element
  Eigen::VectorXd element_count;  ///< pairs of each element
  double mean() const { return sum.sum() / count.sum(); }
};
struct PairSelection {
  Half half = Half::kAll;
  bool shuffled = false;
  std::size_t elements = 0;  ///< at most so many, evenly spread; 0: all
  bool identity = false;     ///< e instead of the others
  /// z minus its mean. The mean over whole orbits is fixed by whatever representation z carries;
  /// that over pairs is not, and must not count as an error of ρ.
  bool centred = true;
};
PairErrors pair_errors(const Source& source, const Moments& moments, const Predict& predict,
                       const PairSelection& selection, Meter& meter);

/// Pairs are read in blocks of this many rows.
inline constexpr std::size_t kBlock = 512;
struct Block {
  Element element;
  std::size_t begin, end;
};
std::vector<Block> make_blocks(const Source& source, const PairSelection& selection);

}  // namespace algprior::auditing
