#include "algprior/kernel/one_thread.hpp"

#include "algprior/base/blas.hpp"

#include <ATen/Parallel.h>

namespace algprior {

OneThread::OneThread() : torch_before_(at::get_num_threads()), blas_before_(blas_state().threads) {
  at::set_num_threads(1);
  if (blas_before_ != 0) set_blas_threads(1);
}

OneThread::~OneThread() {
  at::set_num_threads(torch_before_);
  if (blas_before_ != 0) set_blas_threads(blas_before_);
}

}  // namespace algprior
