#pragma once

#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/network.hpp"

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

/// A whole training step of an experiment, augmentation and optimizer included; returns its loss.
using TrainingStep = std::function<double()>;
/// `torch`: as plain LibTorch code has it, two passes and LibTorch's optimizer. Anything else: as
/// `algprior train` takes it.
using MakeStep = TrainingStep (*)(Kernels kernels);
TrainingStep ddmnist_step(Kernels kernels);   // bench_step.cpp
TrainingStep scnn_step(Kernels kernels);      // bench_step.cpp
TrainingStep medmnist_step(Kernels kernels);  // bench_volumes.cpp
TrainingStep smoke_step(Kernels kernels);     // bench_smoke.cpp

/// Ours and plain LibTorch's; two steps must have the same losses.
BenchRow training_row(const BenchSettings& settings, Contest contest, MakeStep make);
/// Ours and a script that prints {"loss": of the first step, "ms": of the fastest}.
std::optional<BenchRow> python_row(const BenchSettings& settings, Contest contest, MakeStep make,
                                   const char* script);
/// What a few steps take beyond the program itself, each contestant in a process of its own.
BenchRow memory_row(const BenchSettings& settings, const std::string& name,
                    const std::string& experiment);
/// The same in this process, for "ddmnist/native" or "smoke/torch": {"loss", "megabytes"} as JSON.
std::string step_memory(const std::string& what);

/// Weights that follow from a formula that scripts share: sin(12.9898·i + number)/√(fan-in), biases
/// 0.
void set_formula_weights(const Network& network);

// The parts of bench_cases(), a file each.
std::vector<BenchCase> layer_cases();               // bench_layers.cpp
std::vector<BenchCase> planar_cases();              // bench_planar.cpp
std::vector<BenchCase> step_cases();                // bench_step.cpp
std::vector<BenchCase> volume_cases();              // bench_volumes.cpp
std::vector<BenchCase> smoke_cases();               // bench_smoke.cpp
std::vector<BenchCase> network_cases();             // bench_networks.cpp
std::vector<BenchCase> scaling_cases(int threads);  // bench_networks.cpp

/// One pass of the MedMNIST3D network forward and back over so many volumes, in operations.
double medmnist_flops(int volumes);
/// Likewise of the steerable C4 network of DDMNIST over so many images.
double steerable_flops(int images);
/// Likewise of the SMOKE network over a batch of 16; with the gradient of its input, or without.
double smoke_flops(bool input_gradient);

}  // namespace algprior
