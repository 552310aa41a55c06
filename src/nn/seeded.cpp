#include "algprior/nn/seeded.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

namespace algprior {

SeededInitialisation::SeededInitialisation(std::uint64_t seed) {
  auto generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(generator.mutex());
  saved_ = generator.get_state();
  generator.set_current_seed(seed);
}

SeededInitialisation::~SeededInitialisation() {
  auto generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(generator.mutex());
  generator.set_state(saved_);
}

}  // namespace algprior
