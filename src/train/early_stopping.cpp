#include "algprior/train/early_stopping.hpp"

#include <cmath>

namespace algprior {

bool EarlyStopping::update(double value, std::int64_t epoch) {
  const double gain = best ? (larger_is_better ? value - *best : *best - value) : 0.0;
  const bool better = best ? gain > min_delta : !std::isnan(value);
  if (!better) {
    ++stale;
    return false;
  }
  best = value;
  best_epoch = epoch;
  stale = 0;
  return true;
}

}  // namespace algprior
