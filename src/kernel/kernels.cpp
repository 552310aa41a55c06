#include "algprior/kernel/kernels.hpp"

#include "algprior/base/error.hpp"

#include <atomic>

#include <hwy/targets.h>

namespace algprior {
namespace {

std::atomic<Kernels> process_choice{Kernels::automatic};
constexpr int kNoOverride = -1;
thread_local int thread_choice = kNoOverride;

}  // namespace

Kernels kernels() {
  return thread_choice == kNoOverride ? process_choice.load() : static_cast<Kernels>(thread_choice);
}

void set_kernels(Kernels choice) {
  process_choice.store(choice);
}

KernelsScope::KernelsScope(Kernels choice) : previous_(thread_choice) {
  thread_choice = static_cast<int>(choice);
}

KernelsScope::~KernelsScope() {
  thread_choice = previous_;
}

Kernels to_kernels(std::string_view word) {
  if (word == "auto") return Kernels::automatic;
  if (word == "native") return Kernels::native;
  if (word == "torch") return Kernels::torch;
  throw InputError({"unknown choice of kernels", "\"" + std::string(word) + "\"",
                    "auto, native or torch", "leave the setting out to choose automatically"});
}

std::string to_string(Kernels choice) {
  switch (choice) {
    case Kernels::automatic:
      return "auto";
    case Kernels::native:
      return "native";
    case Kernels::torch:
      return "torch";
  }
  return "auto";
}

std::string kernel_target() {
  // The lowest set bit is the best target of those that were compiled.
  const auto targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

}  // namespace algprior
