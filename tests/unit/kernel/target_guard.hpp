#pragma once

#include <cstdint>

#include <hwy/targets.h>

namespace algprior {

/// Makes the kernels run on one instruction set, a bit of HWY_TARGETS, while it lives; afterwards
/// the machine's own choice is back.
struct TargetGuard {
  explicit TargetGuard(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~TargetGuard() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  TargetGuard(const TargetGuard&) = delete;
  TargetGuard& operator=(const TargetGuard&) = delete;
};

}  // namespace algprior
