#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace algprior {

/// Watches one validation number, epoch after epoch. Only a strict improvement (by more than
/// `min_delta`) counts; of equal epochs the one with the lower second number is the best, or the
/// first where there is none. Such a tie does not count against patience or for it.
struct EarlyStopping {
  bool larger_is_better = true;
  std::int64_t patience = 20;  ///< epochs without improvement before the run stops; 0: never
  double min_delta = 0.0;
  /// After more than so many epochs, stop once the mean of the last `window` values is no better
  /// than that of the `window` before; 0: never.
  std::int64_t plateau_after = 0;
  std::int64_t window = 5;

  std::vector<double> recent;      ///< the last 2·window values, for the plateau
  std::optional<double> best;      ///< nothing before the first epoch
  std::optional<double> best_tie;  ///< the second number there, where one was given
  std::int64_t best_epoch = 0;     ///< from 1
  std::int64_t stale = 0;          ///< epochs since `best` was reached

  /// Takes the value of an epoch, and what decides between equal values, the lower the better; true
  /// when the epoch is the best so far. NaN is never an improvement.
  bool update(double value, std::int64_t epoch, std::optional<double> tie = std::nullopt);
  bool should_stop() const { return (patience > 0 && stale >= patience) || on_plateau(); }
  bool on_plateau() const;
  std::int64_t epochs = 0;  ///< seen
};

}  // namespace algprior
