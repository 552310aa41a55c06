#pragma once

namespace algprior {

/// Floating-point operations that one thread can issue as fused multiply-adds on float32 vectors of
/// the chosen instruction set, in GFLOPS: the roof that benchmarks are held against. Takes about
/// 0.1 s.
double fma_peak();

}  // namespace algprior
