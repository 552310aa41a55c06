#pragma once

#include <string>

namespace algprior {

/// The BLAS library under LibTorch, as far as this process has loaded it.
struct BlasState {
  std::string library;  ///< "OpenBLAS 0.3.21", or "" for another BLAS or none
  std::string core;     ///< the kernels in use, in OpenBLAS's words: "SkylakeX", "Zen", "Prescott"
  int threads = 0;      ///< 0 when unknown
};

BlasState blas_state();

/// OpenBLAS's name for kernels that suit this CPU, judged by its instructions: "SkylakeX" with
/// AVX-512, "Zen" or "Haswell" with AVX2 and FMA, "" below that (OpenBLAS then knows best).
std::string openblas_core();

/// Whether OpenBLAS kernels of that name use the vectors that this CPU has. OpenBLAS falls back to
/// Prescott (SSE3) on CPUs newer than itself: a tenth of the speed.
bool suits_this_cpu(const std::string& core);

/// One call for a program that links LibTorch: first thing in main, before other threads start and
/// before the first tensor. Moves a loaded OpenBLAS from unsuitable kernels to openblas_core(), and
/// keeps oneDNN from its AMX code, which dies of an illegal instruction in oneDNN 2.6. What the
/// user has set in OPENBLAS_CORETYPE or DNNL_MAX_CPU_ISA stays. Does nothing where there is nothing
/// to mend (another BLAS, an OpenBLAS that chose well or cannot be switched). Returns the state
/// after.
///
/// The program algprior and its run files need no call.
BlasState tune_blas();

/// For a program that loads LibTorch later, by dlopen: sets the same variables before OpenBLAS
/// reads them. Looks first at what OpenBLAS would choose by itself (4 ms), and sets nothing if that
/// suits; when OpenBLAS cannot be found under its usual name, sets the variable to be safe.
void prepare_blas_environment();

/// Threads of OpenBLAS, which LibTorch's set_num_threads does not reach. Nothing for another BLAS.
void set_blas_threads(int threads);

}  // namespace algprior
