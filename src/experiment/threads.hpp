#pragma once

#include "algprior/experiment/experiment.hpp"
#include "algprior/kernel/one_thread.hpp"

#include <optional>

namespace algprior {

/// One thread while it lives, where the network says that its layers are small and its batches are.
inline std::optional<OneThread> threads_for(const Experiment& experiment) {
  constexpr std::int64_t kProducts = 100'000'000;  // weights × samples of a step
  if (!experiment.network.small_layers || !experiment.training) return std::nullopt;
  const std::int64_t batch = experiment.training->options.batch_size;
  if (parameter_count(experiment.network) * batch >= kProducts) return std::nullopt;
  return std::optional<OneThread>(std::in_place);
}

}  // namespace algprior
