#pragma once

#include <functional>
#include <string>
#include <vector>

namespace algprior {

/// One line of a benchmark: the same work by our kernels and by a peer, in one run.
struct BenchRow {
  std::string name;
  std::string peer;
  double ours_ms = 0.0;
  double peer_ms = 0.0;
  double ratio = 0.0;       ///< peer_ms / ours_ms
  double gflops = 0.0;      ///< of ours; 0 where operations are not counted
  double peak_share = 0.0;  ///< gflops / the FMA peak of all threads, measured in this run
  bool agree = false;       ///< the answers agreed, before anything was timed
};

struct BenchSettings {
  int threads = 2;
  int repetitions = 5;        ///< the fastest of these counts, ours and the peer's in turn
  double fma_peak = 0.0;      ///< GFLOPS of all threads; measure_peak() sets it
  std::string python_script;  ///< oracles/python/ddmnist_step.py; empty: cases that need it are out
};

struct BenchCase {
  std::string name;
  std::function<BenchRow(const BenchSettings&)> run;
};

/// The cases of `algprior bench` and of bench/kernels.cpp, one list for both. With `scaling` also
/// the DDMNIST network over batch sizes 32 … 1024.
std::vector<BenchCase> bench_cases(const BenchSettings& settings, bool scaling = false);

/// FMA peak of all threads at once, in GFLOPS.
double measure_peak(int threads);

/// [{"case", "peer", "ours_ms", "peer_ms", "ratio", "gflops", "peak_share", "agree"}]
std::string to_json(const std::vector<BenchRow>& rows);

/// Runs ours and the peer in turn and keeps the fastest of each.
BenchRow race(const BenchSettings& settings, const std::string& name, const std::string& peer,
              bool agree, double flops, const std::function<void()>& ours,
              const std::function<void()>& theirs);

/// Cases with whole training steps and networks (bench_step.cpp).
std::vector<BenchCase> step_cases(const BenchSettings& settings, bool scaling);

}  // namespace algprior
