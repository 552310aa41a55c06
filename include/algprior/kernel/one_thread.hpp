#pragma once

namespace algprior {

/// LibTorch and BLAS on one thread while it lives: for small matrices, where threads wait for one
/// another longer than they work. The library's own kernels keep theirs.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int torch_before_;
  int blas_before_;  ///< 0 for another BLAS than OpenBLAS
};

}  // namespace algprior
