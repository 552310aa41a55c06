#include "algprior/kernel/kernels.hpp"

#include "algprior/base/choice.hpp"

#include <atomic>

#include <hwy/targets.h>

namespace algprior {
namespace {

constexpr Choices<Kernels, 3> kChoices = {
    {"auto", Kernels::automatic}, {"native", Kernels::native}, {"torch", Kernels::torch}};

std::atomic<Kernels> process_choice{Kernels::automatic};

}  // namespace

Kernels kernels() {
  return process_choice.load();
}

void set_kernels(Kernels choice) {
  process_choice.store(choice);
}

Kernels to_kernels(std::string_view word) {
  return parse_choice(kChoices, word, "unknown choice of kernels");
}

std::string to_string(Kernels choice) {
  return choice_name(kChoices, choice);
}

std::string kernel_target() {
  // The lowest set bit is the best target of those that were compiled.
  const auto targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

}  // namespace algprior
