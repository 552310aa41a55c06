#include "algprior/train/early_stopping.hpp"

#include <cmath>
#include <numeric>

namespace algprior {

bool EarlyStopping::on_plateau() const {
  const auto half = static_cast<std::ptrdiff_t>(window);
  if (plateau_after <= 0 || epochs <= plateau_after ||
      static_cast<std::ptrdiff_t>(recent.size()) < 2 * half) {
    return false;
  }
  const double before = std::accumulate(recent.begin(), recent.begin() + half, 0.0);
  const double after = std::accumulate(recent.begin() + half, recent.end(), 0.0);
  return larger_is_better ? after <= before : after >= before;
}

bool EarlyStopping::update(double value, std::int64_t epoch, std::optional<double> tie) {
  epochs = epoch;
  if (plateau_after > 0) {
    recent.push_back(value);
    if (static_cast<std::int64_t>(recent.size()) > 2 * window) recent.erase(recent.begin());
  }
  const double gain = best ? (larger_is_better ? value - *best : *best - value) : 0.0;
  const bool better = best ? gain > min_delta : !std::isnan(value);
  // A run that an older version began has no second number for its best epoch; that one stays.
  const bool tied = best && value == *best && tie && best_tie && *tie < *best_tie;
  if (!better) ++stale;
  if (!better && !tied) return false;
  if (better) stale = 0;
  best = value;
  best_tie = tie;
  best_epoch = epoch;
  return true;
}

}  // namespace algprior
