#pragma once

#include <cstdint>

namespace algprior {

/// A learning rate as a pure function of progress, so that a resumed run needs no state for it. The
/// warm-up multiplies whatever shape follows.
struct Schedule {
  enum class Shape {
    constant,
    step,    ///< ×gamma after every `every` epochs
    cosine,  ///< from 1 to `floor` over the whole run along half a cosine, epoch by epoch
  };

  Shape shape = Shape::constant;
  double gamma = 0.95;
  std::int64_t every = 1;
  double floor = 0.0;
  std::int64_t warmup_steps =
      0;  ///< the factor grows linearly to 1 over the first steps of the run
};

/// The factor on every learning rate at an epoch (from 0) and a step of the run (from 0). Throws
/// InputError for settings out of range.
double learning_rate_factor(const Schedule& schedule, std::int64_t epoch, std::int64_t epochs,
                            std::int64_t step);

}  // namespace algprior
