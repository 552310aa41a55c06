#pragma once

#include "algprior/kernel/kernels.hpp"

namespace algprior {

/// The process's default kernels while it lives; then the old ones.
class KernelsForNow {
 public:
  explicit KernelsForNow(Kernels choice) : before_(kernels()) { set_kernels(choice); }
  ~KernelsForNow() { set_kernels(before_); }
  KernelsForNow(const KernelsForNow&) = delete;
  KernelsForNow& operator=(const KernelsForNow&) = delete;

 private:
  Kernels before_;
};

}  // namespace algprior
