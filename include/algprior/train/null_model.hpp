#pragma once

#include "algprior/prior/algebra_loss.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace algprior {

/// The null model: ALG + REG alone, without data or network. What it already gives is no finding
/// about a network.
struct NullModelOptions {
  std::int64_t dimension = 8;
  MatrixStart start = MatrixStart::normal;
  double noise = 1.0;            ///< σ of the start
  std::uint64_t first_seed = 0;  ///< seed s starts as a LearnedRepresentation with that seed does
  std::int64_t seeds = 200;
  std::int64_t steps = 4000;
  double learning_rate = 0.003;   ///< of Adam
  double converged_below = 1e-3;  ///< algebra loss above which a seed counts as not converged
};

struct NullModelResult {
  std::vector<at::Tensor> generators;  ///< seeds×d×d float64, one for each generator
  std::vector<double> algebra;  ///< ALG of each seed, unweighted sum of the relators, float64
  std::vector<bool> converged;  ///< none is ever dropped
  /// For each seed n_χ by the eigenvalues, in the order of the character table's rows; empty for a
  /// seed whose matrices are not finite.
  std::vector<std::vector<double>> multiplicities;
  /// For each generator and seed the eigenvalues nearest to exp(2πik/n), n the order; empty
  /// likewise.
  std::vector<std::vector<std::vector<std::size_t>>> counts;

  std::int64_t unconverged() const;
};

/// Minimises ALG + REG of all seeds at once, each in a slice of one tensor: no seed feels another.
/// Runs on one thread: about 30 s for 200 seeds of C2 at d = 8.
/// Called with the step from time to time, `progress` may throw to stop.
NullModelResult run_null_model(const AlgebraLoss& algebra, const NullModelOptions& options = {},
                               const std::function<void(std::int64_t step)>& progress = {});

/// "seed,algebra_loss,converged,<character>…" lines.
std::string to_csv(const NullModelResult& result, const AlgebraLoss& algebra,
                   std::uint64_t first_seed = 0);

}  // namespace algprior
