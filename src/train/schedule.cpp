#include "algprior/train/schedule.hpp"

#include "algprior/base/error.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace algprior {
namespace {

double shape_factor(const Schedule& schedule, std::int64_t epoch, std::int64_t epochs) {
  switch (schedule.shape) {
    case Schedule::Shape::constant:
      return 1.0;
    case Schedule::Shape::step:
      return std::pow(schedule.gamma, static_cast<double>(epoch / schedule.every));
    case Schedule::Shape::cosine: {
      const double progress = static_cast<double>(epoch) / static_cast<double>(epochs);
      const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
      return schedule.floor + (1.0 - schedule.floor) * wave;
    }
  }
  return 1.0;
}

}  // namespace

double learning_rate_factor(const Schedule& schedule, std::int64_t epoch, std::int64_t epochs,
                            std::int64_t step) {
  if (schedule.every < 1 || schedule.warmup_steps < 0 || !(schedule.gamma > 0.0) ||
      !std::isfinite(schedule.gamma) || schedule.floor < 0.0 || schedule.floor > 1.0 ||
      epochs < 1) {
    throw InputError({"a learning-rate schedule is out of range",
                      fmt::format("gamma {}, every {}, floor {}, warm-up {}", schedule.gamma,
                                  schedule.every, schedule.floor, schedule.warmup_steps),
                      "gamma > 0, every >= 1, 0 <= floor <= 1, warm-up >= 0", ""});
  }
  double factor = shape_factor(schedule, epoch, epochs);
  if (step < schedule.warmup_steps) {
    factor *= static_cast<double>(step + 1) / static_cast<double>(schedule.warmup_steps);
  }
  return factor;
}

}  // namespace algprior
