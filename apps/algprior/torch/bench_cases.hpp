#pragma once

#include "algprior/kernel/kernels.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// One line of a benchmark: the same work by our kernels and by a peer, in one run.
struct BenchRow {
  std::string name;
  std::string peer;
  double ours = 0.0;        ///< milliseconds of the fastest repetition, or megabytes
  double theirs = 0.0;      ///< the peer's
  double ratio = 0.0;       ///< theirs / ours
  double gflops = 0.0;      ///< of ours; 0 where operations are not counted
  double peak_share = 0.0;  ///< gflops / the FMA peak of all threads, measured in this run
  bool agree = false;       ///< the answers agreed, before anything was timed
  bool memory = false;      ///< megabytes, not milliseconds
};

/// The process's kernels while one of the contestants has its turn.
class KernelsInTurn {
 public:
  explicit KernelsInTurn(Kernels choice) : before_(kernels()) { set_kernels(choice); }
  ~KernelsInTurn() { set_kernels(before_); }
  KernelsInTurn(const KernelsInTurn&) = delete;
  KernelsInTurn& operator=(const KernelsInTurn&) = delete;

 private:
  Kernels before_;
};

/// The batch size of the paper's double-digit experiments.
constexpr int kPairs = 256;

struct BenchSettings {
  int threads = 1;
  int repetitions = 5;    ///< the fastest of these counts, ours and the peer's in turn
  double fma_peak = 0.0;  ///< GFLOPS of all threads; measure_peak() gives it
};

/// `run` returns nothing when the peer is not on this machine.
struct BenchCase {
  std::string name;
  int threads = 0;  ///< 0: as many as asked for
  std::function<std::optional<BenchRow>(const BenchSettings&)> run;
};

/// The cases of `algprior bench`, in the order of its table. With `scaling` also the DDMNIST
/// network over batch sizes 32 … 1024 and 1, 2, 4, … `threads` threads.
std::vector<BenchCase> bench_cases(int threads, bool scaling);

/// FMA peak of all threads at once, in GFLOPS.
double measure_peak(int threads);

/// What a contest is about: the name of its case, its peer, whether the answers agreed, and the
/// floating-point operations of one turn (0: not counted).
struct Contest {
  std::string name;
  std::string peer;
  bool agree = false;
  double flops = 0.0;
};

/// Runs ours and the peer in turn and keeps the fastest of each. A Ctrl-C between two turns throws
/// Interrupted.
BenchRow race(const BenchSettings& settings, const Contest& contest,
              const std::function<void()>& ours, const std::function<void()>& theirs);
/// Only ours; the peer's time was measured elsewhere.
BenchRow race(const BenchSettings& settings, const Contest& contest,
              const std::function<void()>& ours, double peer_ms);

/// Whether ours is theirs up to `tolerance`, relative to the largest entry of theirs.
bool same_up_to(const at::Tensor& ours, const at::Tensor& theirs, double tolerance);

/// One training step of the DDMNIST network on so many images: forward, gradients of the weights,
/// and of every input but the first, in floating-point operations.
double ddmnist_flops(double images);

// The parts of bench_cases(), a file each.
std::vector<BenchCase> layer_cases();               // bench_layers.cpp
std::vector<BenchCase> planar_cases();              // bench_planar.cpp
std::vector<BenchCase> step_cases();                // bench_step.cpp
std::vector<BenchCase> network_cases();             // bench_networks.cpp
std::vector<BenchCase> scaling_cases(int threads);  // bench_networks.cpp

/// The memory that a few training steps take beyond the program itself, "native" or "torch", in
/// this process: {"loss", "megabytes"} as JSON (bench_step.cpp).
std::string step_memory(const std::string& kernels);

}  // namespace algprior
