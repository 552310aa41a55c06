#include "algprior/kernel/one_thread.hpp"

#include "algprior/base/blas.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(OneThread, HoldsWhileItLivesAndGivesBackWhatWasThere) {
  const int torch_threads = at::get_num_threads();
  const int blas_threads = blas_state().threads;
  at::set_num_threads(3);
  if (blas_threads != 0) set_blas_threads(2);
  {
    const OneThread one_thread;
    EXPECT_EQ(at::get_num_threads(), 1);
    EXPECT_LE(blas_state().threads, 1);
  }
  EXPECT_EQ(at::get_num_threads(), 3);
  EXPECT_EQ(blas_state().threads, blas_threads == 0 ? 0 : 2);
  at::set_num_threads(torch_threads);
  if (blas_threads != 0) set_blas_threads(blas_threads);
}

}  // namespace
}  // namespace algprior
