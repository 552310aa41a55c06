#include "algprior/base/blas.hpp"

#include "algprior/base/cpu.hpp"

#include <cstdlib>
#include <functional>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace algprior {
namespace {

// OpenBLAS reads its variables once a process, so each case has a process of its own. The exit code
// says which expectation failed.
int in_new_process(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void* load_openblas(int flags = RTLD_NOW) {
  return dlopen("libopenblas.so.0", flags);
}

bool can_load_openblas() {
  return in_new_process([] { return load_openblas() == nullptr ? 1 : 0; }) == 0;
}

TEST(TuneBlas, MovesAnOpenblasOnPrescottToSuitableKernels) {
  if (!can_load_openblas()) GTEST_SKIP() << "OpenBLAS is not installed";
  if (openblas_core().empty()) GTEST_SKIP() << "this CPU has no wide vectors";
  EXPECT_EQ(in_new_process([] {
              setenv("OPENBLAS_CORETYPE", "Prescott", 1);
              if (load_openblas() == nullptr) return 1;
              if (blas_state().core != "Prescott") return 2;
              unsetenv("OPENBLAS_CORETYPE");  // as if OpenBLAS had chosen this by itself
              if (suits_this_cpu(blas_state().core)) return 3;
              const BlasState after = tune_blas();
              if (after.core != openblas_core()) return 4;
              if (!suits_this_cpu(after.core)) return 5;
              // The new kernels must compute: a 64×64 product of ones.
              using Sgemm = void(const char*, const char*, const int*, const int*, const int*,
                                 const float*, const float*, const int*, const float*, const int*,
                                 const float*, float*, const int*);
              auto* sgemm = reinterpret_cast<Sgemm*>(dlsym(load_openblas(), "sgemm_"));
              std::vector<float> a(64 * 64, 1.0F), c(64 * 64, 0.0F);
              const int n = 64;
              const float one = 1.0F, zero = 0.0F;
              sgemm("N", "N", &n, &n, &n, &one, a.data(), &n, a.data(), &n, &zero, c.data(), &n);
              for (const float x : c) {
                if (x != 64.0F) return 6;
              }
              return 0;
            }),
            0);
}

TEST(TuneBlas, LeavesTheUsersChoice) {
  if (!can_load_openblas()) GTEST_SKIP() << "OpenBLAS is not installed";
  EXPECT_EQ(in_new_process([] {
              setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
              prepare_blas_environment();
              if (load_openblas() == nullptr) return 1;
              return tune_blas().core == "Nehalem" ? 0 : 2;
            }),
            0);
}

TEST(TuneBlas, DoesNothingWithoutOpenblas) {
  EXPECT_EQ(in_new_process([] { return tune_blas().library.empty() ? 0 : 1; }), 0);
  EXPECT_EQ(in_new_process([] {
              set_blas_threads(2);
              return 0;
            }),
            0);
}

TEST(PrepareBlasEnvironment, TheLibraryLoadedLaterHasSuitableKernels) {
  if (!can_load_openblas()) GTEST_SKIP() << "OpenBLAS is not installed";
  EXPECT_EQ(in_new_process([] {
              unsetenv("OPENBLAS_CORETYPE");
              prepare_blas_environment();
              if (load_openblas(RTLD_NOW | RTLD_LOCAL) == nullptr) return 1;
              if (!suits_this_cpu(blas_state().core)) return 2;
              set_blas_threads(1);
              return blas_state().threads == 1 ? 0 : 3;
            }),
            0);
}

TEST(OpenblasCore, SuitsTheCpuItWasChosenFor) {
  EXPECT_TRUE(openblas_core().empty() || suits_this_cpu(openblas_core()));
  if (instruction_set() == "AVX-512") {
    EXPECT_EQ(openblas_core(), "SkylakeX");
    EXPECT_FALSE(suits_this_cpu("Haswell"));
  }
  if (instruction_set() == "AVX2") {
    EXPECT_TRUE(suits_this_cpu("HASWELL"));
    EXPECT_FALSE(suits_this_cpu("SandyBridge"));
  }
}

TEST(ThisMachine, KnowsItself) {
  const Machine machine = this_machine();
  EXPECT_GE(machine.cores, 1);
  EXPECT_FALSE(machine.cpu.empty());
  EXPECT_GT(machine.memory_bytes, 1U << 26);
  EXPECT_LE(machine.memory_available_bytes, machine.memory_bytes);
}

}  // namespace
}  // namespace algprior
